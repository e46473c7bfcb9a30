"""What a row is made of: packages, and programs compiled by `mazurka cc` and `mazurka c++`."""

import concurrent.futures
import os
import pathlib
import shutil

from archive import Archive, Unavailable, run

DRIVERS = pathlib.Path(__file__).resolve().parent / "drivers"


class Workshop:
    def __init__(self, mazurka, folder):
        self.mazurka = pathlib.Path(mazurka).resolve()
        self.folder = pathlib.Path(folder).resolve()
        self.archive = Archive(self.folder / "packages")

    def place(self, name):
        """An empty folder for the results of one row, which nothing else uses."""
        place = self.folder / "rows" / name.replace(" ", "-").replace("/", "-")
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        return place

    def program(self, name, sources, options=()):
        """Compiles and links; names of sources without a folder are those of our drivers."""
        place = self.place(name)
        files = [DRIVERS / source if pathlib.Path(source).name == str(source) else source for source in sources]
        run([self.mazurka, self.compiler(files[0]), "-g", *files, *options, "-o", place / "program", "-pthread"])
        return place / "program"

    @staticmethod
    def compiler(source):
        return "cc" if str(source).endswith(".c") else "c++"

    def objects(self, name, sources, options):
        """The objects of a library's sources, compiled once for each version of Mazurka."""
        place = self.folder / "objects" / name
        stamp = place / "stamp"
        key = f"{self.mazurka.stat().st_mtime_ns} {' '.join(map(str, options))}"
        objects = [place / f"{number}-{pathlib.Path(source).stem}.o" for number, source in enumerate(sources)]
        if stamp.exists() and stamp.read_text() == key:
            return objects
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)

        def compile_one(pair):
            run([self.mazurka, self.compiler(pair[0]), "-g", "-c", pair[0], *options, "-o", pair[1]])

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(compile_one, zip(sources, objects)))
        stamp.write_text(key)
        return objects

    def changed(self, name, folder, file, old, new):
        """A copy of a folder in which one place of one file is changed: a planted bug."""
        copy = self.folder / "changed" / name
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy, symlinks=True)
        path = copy / file
        text = path.read_text(errors="surrogateescape")
        if text.count(old) != 1:
            raise Unavailable(f"{file} has {text.count(old)} places that read {old!r}, not one")
        path.write_text(text.replace(old, new), errors="surrogateescape")
        return copy


def without(files, *parts):
    return sorted(file for file in files if not any(part in str(file) for part in parts))
