"""Whole programs: mafft's threaded ones, and pbzip2."""

import shutil

from archive import run
from row import Row
from workshop import without

SEQUENCES = ("ACGTTGCAACGTTGCA", "ACGTTGCTACGTAGCA", "ACCTTGCAACGATGCA", "ACGTTGGAACGTTGCC")


def mafft(workshop):
    """Built by its own makefile, in a copy."""
    copy = workshop.folder / "objects" / "mafft"
    stamp = copy / "stamp"
    key = str(workshop.mazurka.stat().st_mtime_ns)
    if not stamp.exists() or stamp.read_text() != key:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(workshop.archive.source("mafft"), copy, symlinks=True)
        build_mafft(workshop, copy)
        stamp.write_text(key)
    return copy / "core"


def build_mafft(workshop, tree, programs=("disttbfast", "addsingle", "dndpre", "makedirectionlist", "pairlocalalign")):
    run(["make", "-C", tree / "core", f"CC={workshop.mazurka} cc", "CFLAGS=-O2 -g", *programs])


def mafft_row(program, threads, sequences, options, remark="", tree=mafft, name="", **rest):
    name = name or f"mafft {program}, {threads} threads"

    def build(workshop):
        place = workshop.place(name if tree is mafft else f"planted {name}")
        shutil.copy(tree(workshop) / program, place / "program")
        (place / "in.fa").write_text("".join(f">s{i}\n{text}\n" for i, text in enumerate(SEQUENCES[:sequences])))
        count = f"{threads}-{threads}" if program == "disttbfast" else f"{threads}"
        return [place / "program", *options, "-C", count, "-i", "in.fa"]

    return Row(name, build, note=f"{sequences} sequences{'; ' if remark else ''}{remark}", **rest)


def pbzip2(workshop):
    source, library = workshop.archive.source("pbzip2"), workshop.archive.source("bzip2")
    flags = [f"-I{library}", "-O2", "-D_LARGEFILE64_SOURCE", "-D_FILE_OFFSET_BITS=64", "-D_POSIX_PTHREAD_SEMANTICS"]
    names = ("blocksort", "huffman", "crctable", "randtable", "compress", "decompress", "bzlib")
    objects = workshop.objects("bzip2", [library / f"{name}.c" for name in names], flags)
    program = workshop.program("pbzip2", [*sorted(source.glob("*.cpp")), *objects], flags)
    (program.parent / "in").write_bytes(b"abracadabra " * 20)
    return [program, "-p2", "-k", "-f", "-q", "in"]


PAIRS = ["-b", "62", "-g", "-0.1", "-f", "-2.00", "-Q", "100", "-h", "0.1", "-L"]
TREE = ["-q", "0", "-E", "1", "-V", "-1.53", "-s", "0.0", "-W", "6", "-O", "-b", "62", "-g", "0", "-f", "-1.53", "-Q", "100.0",
        "-h", "0", "-F", "-X", "0.1"]

# DPU's figures are from Table 2 of *Quasi-Optimal POR*; a bug was put into all of these but DND(4,2).
ROWS = [
    mafft_row("dndpre", 2, 4, [], "DPU: DND(2,4) 80 executions, 11.1 s"),
    mafft_row("dndpre", 3, 3, []),
    mafft_row("dndpre", 4, 2, [], "DPU: DND(4,2) 96 executions, 11.8 s"),
    mafft_row("makedirectionlist", 2, 3, ["-m", "-I", "0", "-t", "0.00", "-r", "5000", "-o", "a"],
              "DPU: MDL(2,3) 576 executions, 46.2 s"),
    mafft_row("pairlocalalign", 2, 3, PAIRS, "DPU: PLA(2,4) 80 executions, 37.2 s"),
    mafft_row("pairlocalalign", 3, 3, PAIRS),
    mafft_row("addsingle", 2, 3, ["-Q", "100", "-W", "6", "-O", "-K", "-I", "1", "-b", "62", "-f", "-1.53", "-h", "0", "-F"],
              "DPU: ADD(3) 2 executions, 24.3 s"),
    mafft_row("disttbfast", 2, 3, TREE),
    Row("pbzip2, 2 threads", pbzip2),
]
