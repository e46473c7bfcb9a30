"""Sources and headers of Debian packages, in a folder of our own.

The machine's own apt configuration is read, never changed: its archives are asked again through a private list of
sources, which besides packages has their sources (`Types: deb deb-src`). Nothing is installed, so no privileges are
needed: packages with headers are unpacked into the folder.
"""

import pathlib
import shutil
import subprocess

# The list of what changes with every release of a package is downloaded once; remove the folder for newer ones.


class Unavailable(Exception):
    """The package, or the archive, cannot be had; the text says why."""


class Archive:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.options = None

    def source(self, package):
        """The unpacked source of a package, with Debian's patches."""
        return self._once(f"source-{package}", lambda to: self._unpack_source(package, to))

    def headers(self, *packages):
        """The folder usr/include of packages that are unpacked together."""
        return self._once(f"headers-{packages[0]}", lambda to: self._unpack(packages, to)) / "usr" / "include"

    def _once(self, name, fill):
        done = self.folder / name
        if not done.exists():
            partial = self.folder / f"{name}.partial"
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir(parents=True)
            fill(partial)
            partial.rename(done)
        return done

    def _unpack_source(self, package, to):
        self._apt(to, "source", "--only-source", package)
        tree = [path for path in to.iterdir() if path.is_dir()]
        if len(tree) != 1:
            raise Unavailable(f"apt-get source {package} gave {len(tree)} folders")
        for file in [path for path in to.iterdir() if not path.is_dir()]:
            file.unlink()
        for path in list(tree[0].iterdir()):
            path.rename(to / path.name)
        tree[0].rmdir()

    def _unpack(self, packages, to):
        self._apt(to, "download", *packages)
        for file in list(to.glob("*.deb")):
            run(["dpkg-deb", "-x", file, to])
            file.unlink()

    def _apt(self, where, *command):
        if self.options is None:
            self.options = self._private_configuration()
        run(["apt-get", *self.options, "-qq", *command], cwd=where)

    def _private_configuration(self):
        apt = self.folder / "apt"
        for part in ("lists/partial", "archives/partial", "parts"):
            (apt / part).mkdir(parents=True, exist_ok=True)
        entries = run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)",
                       "Created-By: Packages"])
        sources = ""
        for uri, release, component, origin in (line.split()[:4] for line in sorted(set(entries.splitlines()))):
            if origin == "Debian":
                sources += f"Types: deb deb-src\nURIs: {uri}\nSuites: {release}\nComponents: {component}\n\n"
        if not sources:
            raise Unavailable("this machine's apt knows no archive of Debian")
        (apt / "parts" / "private.sources").write_text(sources)
        options = ["-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={apt}/parts",
                   "-o", f"Dir::State::lists={apt}/lists", "-o", f"Dir::Cache::archives={apt}/archives",
                   "-o", f"Dir::Cache::pkgcache={apt}/pkgcache.bin",
                   "-o", f"Dir::Cache::srcpkgcache={apt}/srcpkgcache.bin",
                   "-o", "APT::Sandbox::User=", "-o", "APT::Get::List-Cleanup=false"]
        if not any((apt / "lists").glob("*_Sources*")):
            run(["apt-get", *options, "-qq", "update"])
        return options


def run(command, **options):
    """Runs a command and returns its output; Unavailable with the end of its complaints if it fails."""
    result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            errors="replace", stdin=subprocess.DEVNULL, **options)
    if result.returncode != 0:
        words = [str(part) for part in command]
        complaint = (result.stderr or result.stdout).strip().splitlines()[-6:]
        raise Unavailable(f"{' '.join(words)[:300]} failed with {result.returncode}: " + "\n  ".join(complaint))
    return result.stdout
