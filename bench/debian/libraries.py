"""Libraries that are compiled from their sources, each with a driver of ours."""

from row import Row
from archive import run
from header_libraries import EXPLORE
from workshop import without

# userspace-rcu asks its headers for the machine. That of Tilera's has the compiler's atomics and no assembly.
URCU = ("-D_URCU_ARCH_H", "-DURCU_ARCH_TILE=1", "-include", "urcu/arch/tile.h")
URCU_MB = ("urcu_mb.c", ["urcu.c", "urcu-pointer.c", "compat_arch.c", "compat_futex.c"], ["-DRCU_MB"])
URCU_NOTE = "-DURCU_ARCH_TILE=1 (the compiler's atomics), every access a step"


def urcu(workshop):
    source = workshop.archive.source("liburcu")
    if not (source / "include/config.h").exists():
        run(["./configure", "--quiet", "--disable-shared"], cwd=source)
    return source


def urcu_program(workshop, name, source, driver, files, flags=()):
    options = [f"-I{source}/include", f"-I{source}/src", "-include", source / "include/config.h", *URCU, *flags]
    return workshop.program(name, [driver, *(source / "src" / file for file in files)], options)


def urcu_row(name, *parts):
    return Row(name, lambda workshop: [urcu_program(workshop, name, urcu(workshop), *parts)], options=EXPLORE,
               note=URCU_NOTE)


def cds_row(name, switch):
    def build(workshop):
        source = workshop.archive.source("libcds")
        flags = [f"-I{source}", "-std=c++17"]
        objects = workshop.objects("cds", without(source.glob("src/*.cpp"), "dllmain"), flags)
        return [workshop.program(name, ["cds_queue.cpp", *objects], [*flags, switch])]

    return Row(name, build)


def abseil_row(name, driver):
    def build(workshop):
        source = workshop.archive.source("abseil")
        flags = [f"-I{source}", "-std=c++17", "-O1", "-DABSL_USE_UNSCALED_CYCLECLOCK=0"]
        files = [file for part in ("base", "base/internal", "synchronization", "synchronization/internal", "time",
                                   "time/internal/cctz/src", "strings", "strings/internal", "numeric", "debugging",
                                   "debugging/internal")
                 for file in source.glob(f"absl/{part}/*.cc")]
        files = without(files, "_test", "_benchmark", "_testing", "test_", "benchmark", "failure_signal_handler",
                        "leak_check", "symbolize_", "cord", "exception_safety", "scoped_mock_log")
        return [workshop.program(name, [driver, *workshop.objects("abseil", files, flags)], flags)]

    return Row(name, build, one_processor=True, note="its clock, for profiles only, stands still")


# Time stamps and the control word of the floating-point unit, in the task scheduler, which the containers do not use.
TBB_NOTE = "assembly of its task scheduler trusted"


def tbb_row(name, switch, **rest):
    def build(workshop):
        source = workshop.archive.source("onetbb")
        flags = [f"-I{source}/include", "-std=c++17"]
        library = [*flags, "-O1", "-mwaitpkg", "-mrtm", "-D__TBB_BUILD", "-D__TBB_USE_ITT_NOTIFY=0", "-D__TBB_DYNAMIC_LOAD_ENABLED=0"]
        objects = workshop.objects("tbb", sorted(source.glob("src/tbb/*.cpp")), library)
        return [workshop.program(name, ["tbb_containers.cpp", *objects], [*flags, switch])]

    return Row(name, build, options=("--trust=asm",), **rest)


def sqlite(workshop):
    source = workshop.archive.source("sqlite3")
    if not (source / "sqlite3.c").exists():
        run(["./configure", "--disable-tcl"], cwd=source)
        run(["make", "sqlite3.c"], cwd=source)
    flags = [f"-I{source}", "-O1", "-DSQLITE_THREADSAFE=1", "-DSQLITE_OMIT_LOAD_EXTENSION"]
    library = workshop.objects("sqlite", [source / "sqlite3.c"], flags)
    return [workshop.program("sqlite", ["sqlite_shared.c", *library], flags)]


def leveldb_program(workshop, name, source):
    made = workshop.folder / "objects" / "leveldb-configuration"
    if not (made / "include/port/port_config.h").exists():
        run(["cmake", "-S", source, "-B", made, "-DLEVELDB_BUILD_TESTS=OFF", "-DLEVELDB_BUILD_BENCHMARKS=OFF",
             "-DCMAKE_DISABLE_FIND_PACKAGE_Snappy=ON"])
    flags = [f"-I{source}", f"-I{source}/include", f"-I{made}/include", "-DLEVELDB_PLATFORM_POSIX=1"]
    files = [file for part in ("db", "table", "util") for file in source.glob(f"{part}/*.cc")]
    files = without(files, "_test", "_bench", "leveldbutil", "testutil", "windows", "testharness", "db/c.cc")
    program = workshop.program(name, ["leveldb_disk.cpp", *workshop.objects(name, files, flags)], flags)
    return [program, program.parent / "database"]


def leveldb(workshop):
    return leveldb_program(workshop, "leveldb", workshop.archive.source("leveldb"))


ROWS = [
    urcu_row("userspace-rcu wfcqueue", "urcu_wfcqueue.c", ["wfcqueue.c"]),
    urcu_row("userspace-rcu urcu-mb", *URCU_MB),
    cds_row("libcds MSQueue", "-DMICHAEL_SCOTT"),
    cds_row("libcds Vyukov queue", "-DVYUKOV"),
    abseil_row("Abseil Mutex", "absl_mutex.cpp"),
    abseil_row("Abseil Notification", "absl_notification.cpp"),
    tbb_row("oneTBB concurrent_queue", "-DQUEUE", note=TBB_NOTE),
    tbb_row("oneTBB concurrent_vector", "-DVECTOR", note=TBB_NOTE),
    tbb_row("oneTBB concurrent_hash_map", "-DMAP", note=TBB_NOTE, seconds=600),
    Row("SQLite, two connections", sqlite),
    Row("LevelDB on disk", leveldb),
]
