#!/usr/bin/env python3
"""Attacks mazurka as a hostile machine would, and prints a table of what became of it.

Workers and explorers are killed, the memory shared with a program is overwritten, inputs are mutated, resources taken
away, signals sent. Whatever happens: no crash, no wrong verdict, and nothing left behind in the temporary folder, in
/dev/shm or in the process table. What must be done soon is judged by CPU time, so that a busy machine changes nothing.

  run.py --mazurka build/release/src/cli/mazurka --programs build/release/tests/programs [--sample] [--only NAME]
"""
import argparse
import collections
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PATIENCE = 60  # seconds; what takes longer hangs
CRASHES = {70, 132, 134, 135, 136, 139}  # internal error, and the signals of a crash as a shell reports them


class Attacks:
    def __init__(self, options):
        self.options = options
        self.mazurka = os.path.abspath(options.mazurka)
        self.random = random.Random(options.seed)
        self.folder = tempfile.mkdtemp(prefix="mazurka-attacks-")
        self.temporary = os.path.join(self.folder, "tmp")
        os.mkdir(self.temporary)
        self.marker = f"MAZURKA_ATTACK={os.getpid()}"
        self.shared = set(os.listdir("/dev/shm"))
        self.rows = []
        self.failures = []

    # ---- running

    def environment(self):
        environment = dict(os.environ, TMPDIR=self.temporary)
        name, value = self.marker.split("=")
        environment[name] = value
        return environment

    def start(self, arguments, limits=(), stdin=subprocess.DEVNULL, environment=None, prefix=()):
        def prepare():
            for number in (signal.SIGHUP, signal.SIGINT):  # ignored if this was started by nohup, or in the background
                signal.signal(number, signal.SIG_DFL)
            for kind, value in limits:
                resource.setrlimit(kind, (value, value))
        return subprocess.Popen([*prefix, self.mazurka, *arguments], cwd=self.folder, stdin=stdin,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=prepare,
                                env=environment or self.environment())

    def finish(self, process):
        """Exit code (negative: killed by a signal; None: it hangs), standard output, standard error."""
        for _ in range(PATIENCE):
            try:
                out, err = process.communicate(timeout=1)
                return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")
            except subprocess.TimeoutExpired:
                pass  # counted, not looked up: if the machine is suspended, no more than a second of patience is lost
        process.kill()
        process.communicate()
        return None, "", "it hangs"

    def run(self, arguments, **keywords):
        return self.finish(self.start(arguments, **keywords))

    # ---- what the kernel tells

    def cpu_of_running(self):
        """Seconds of CPU time that live processes of ours and the children they have reaped took."""
        ticks = 0
        for number in self.ours():
            try:
                with open(f"/proc/{number}/stat") as file:
                    ticks += sum(map(int, file.read().rsplit(")", 1)[1].split()[11:15]))
            except OSError:
                pass
        return ticks / os.sysconf("SC_CLK_TCK")

    @staticmethod
    def cpu_of_ended():
        """Seconds of CPU time of all processes that have ended."""
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    @staticmethod
    def catches(process, number):
        with open(f"/proc/{process.pid}/status") as file:
            caught = next(line for line in file if line.startswith("SigCgt:"))
        return int(caught.split()[1], 16) >> (number - 1) & 1 == 1

    # ---- what must hold

    def fail(self, attack, what):
        self.failures.append(f"{attack}: {what}")

    def judge(self, attack, code, allowed, detail):
        if code not in allowed:
            self.fail(attack, f"exit code {code}, which is none of {sorted(allowed)}: {detail[:600]}")

    def ours(self):
        """Processes that carry the marker of this attack in their environment, or were forked by such."""
        found = []
        for number in os.listdir("/proc"):
            if not number.isdigit() or int(number) == os.getpid():
                continue
            try:
                with open(f"/proc/{number}/environ", "rb") as file:
                    if self.marker.encode() in file.read().split(b"\0"):
                        with open(f"/proc/{number}/stat") as stat:
                            if stat.read().rsplit(")", 1)[1].split()[0] != "Z":
                                found.append(int(number))
            except OSError:
                pass
        return found

    def look_for_leftovers(self, attack):
        end = time.time() + 15  # a compiler that outlived mazurka may still be about to notice
        while time.time() < end and (self.ours() or os.listdir(self.temporary)):
            time.sleep(0.05)
        for process in self.ours():
            with open(f"/proc/{process}/cmdline", "rb") as file:
                self.fail(attack, f"a process is left: {file.read()[:200]}")
            os.kill(process, signal.SIGKILL)
        for name in os.listdir(self.temporary):
            # Compilers that are killed leave theirs, with mazurka or without it.
            if name.startswith("mazurka"):
                self.fail(attack, f"left in the temporary folder: {name}")
            path = os.path.join(self.temporary, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
        for name in set(os.listdir("/dev/shm")) - self.shared:
            if "mazurka" in name:
                self.fail(attack, f"left in /dev/shm: {name}")

    def attack(self, name, count, action):
        if self.options.only and self.options.only != name:
            return
        codes = collections.Counter()
        slowest = 0.0
        before = len(self.failures)
        for i in range(count):
            start = time.time()
            codes[action(name, i)] += 1
            slowest = max(slowest, time.time() - start)
            if sys.stderr.isatty():
                print(f"\r{name} {i + 1}/{count}   ", end="", file=sys.stderr)
        self.look_for_leftovers(name)
        self.rows.append((name, count, codes, slowest, len(self.failures) - before))

    # ---- the attacks

    def prepare(self):
        for source in ("safe", "bug"):
            shutil.copy(os.path.join(HERE, source + ".c"), self.folder)
            code = subprocess.run([self.mazurka, "cc", "-g", "-O1", source + ".c", "-o", source], cwd=self.folder,
                                  env=self.environment()).returncode
            if code != 0:
                sys.exit(f"{source}.c does not compile")
        self.undisturbed = json.loads(self.run(["check", "--json", "./safe"])[1])
        self.run(["check", "--quiet", "--save", "bug.mzk", "./bug"])
        self.run(["check", "--quiet", "--save", "network.mzk", os.path.join(ROOT, "examples", "philosophers.tck")])
        with open(os.path.join(self.folder, "big.tck"), "wb") as file:
            file.write(subprocess.run([self.mazurka, "gen", "dp", "40"], stdout=subprocess.PIPE).stdout)
        for system in ("safe", "big.tck"):
            self.run(["check", "--quiet", "--checkpoint", f"{system}.checkpoint", "--checkpoint-every", "1e-6",
                      "--max-executions", "20", f"./{system}"])
        self.checkpoints = [(system, self.read(f"{system}.checkpoint")) for system in ("safe", "big.tck")]
        self.schedules = [self.read("bug.mzk"), self.read("network.mzk")]
        self.models = self.collect_models()

    def read(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def collect_models(self):
        found = []
        for folder in ("examples", "tests/nets", "tests/fuzz/corpus"):
            for directory, _, names in sorted(os.walk(os.path.join(ROOT, folder))):
                for name in sorted(names):
                    path = os.path.join(directory, name)
                    ending = os.path.splitext(name)[1]
                    if ending in (".tck", ".ll_net", ".pnml", ".net") and os.path.getsize(path) < 20000:
                        with open(path, "rb") as file:
                            found.append((ending, file.read()))
        return found

    def kill_worker(self, attack, i):
        process = self.start(["check", "--json", "./safe"])
        for _ in range(self.random.randint(1, 3)):
            time.sleep(self.random.random() * 0.05)
            for worker in self.ours():
                if worker != process.pid:
                    try:
                        os.kill(worker, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
        code, out, err = self.finish(process)
        self.judge(attack, code, {0}, out + err)
        if code == 0 and json.loads(out)["executions"] != self.undisturbed["executions"]:
            self.fail(attack, f"other executions than undisturbed: {out}")
        return code

    def kill_explorer(self, attack, i):
        arguments = (["check", "--json", "safe.c"], ["check", "--json", "--isolation=fork", "./safe"])[i % 2]
        process = self.start(arguments)
        time.sleep(self.random.random() * (1.2 if i % 2 == 0 else 0.3))
        process.kill()
        process.communicate()
        return process.returncode

    def damage(self, attack, i):
        family = ("gcc", "clang")[i % 2]
        ways = (["--algorithm=optimal"], ["--algorithm=source"], ["--algorithm=unfolding"], ["--algorithm=observers"],
                ["--isolation=fork"], ["--keep-going"])
        program = os.path.join(os.path.abspath(self.options.programs), family, "scribbler")
        code, out, err = self.run(["check", "--json", "--watchdog", "1", *ways[i % len(ways)], program, "--", "unseen",
                                   str(i + 1000 * self.options.seed)])
        self.judge(attack, code, {1, 4}, f"unseen {i + 1000 * self.options.seed} {ways[i % len(ways)]} {out}{err}")
        return code

    def mutate(self, data):
        data = bytearray(data)
        for _ in range(self.random.choice((1, 1, 2, 4, 16))):
            at = self.random.randrange(len(data) + 1)
            end = min(len(data), at + self.random.choice((1, 1, 4, 32)))
            how = self.random.randrange(6)
            if how == 0:
                data[at:end] = bytes(self.random.randrange(256) for _ in range(end - at))
            elif how == 1:
                del data[at:end]
            elif how == 2:
                data[at:at] = data[at:end]
            elif how == 3:
                data[at:at] = self.random.choice((b"99999999999999999999", b"-1", b"\n", b"\0", b"{", b":", b"<", b"4294967296"))
            elif how == 4:
                del data[at:]
            elif at < len(data):
                data[at] ^= 1 << self.random.randrange(8)
        return bytes(data)

    def mutated_schedule(self, attack, i):
        with open(os.path.join(self.folder, "mutated.mzk"), "wb") as file:
            file.write(self.mutate(self.schedules[i % 2]))
        force = ["--force"] if i % 4 < 2 else []
        code, out, err = self.run(["replay", "--json", *force, "mutated.mzk"])
        self.judge(attack, code, {0, 1, 2, 3, 4}, out + err)
        return code

    def mutated_checkpoint(self, attack, i):
        system, written = self.checkpoints[i % len(self.checkpoints)]
        mutated = self.mutate(written)
        with open(os.path.join(self.folder, "mutated.checkpoint"), "wb") as file:
            file.write(mutated)
        code, out, err = self.run(["check", "--json", "--max-executions", "40", "--resume", "mutated.checkpoint",
                                   f"./{system}"])
        self.judge(attack, code, {3} if mutated == written else {2}, out + err)
        if code == 2 and "checkpoint" not in err:
            self.fail(attack, f"does not say what is wrong: {err}")
        return code

    def mutated_model(self, attack, i):
        ending, text = self.random.choice(self.models)
        name = "mutated" + ending
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(self.mutate(text))
        ways = [["unfold", "--deadlock"], ["unfold"], ["unfold", "--explicit", "--deadlock"]]
        if ending == ".tck":
            ways += [["states"], ["states", "--algorithm=ifs"], ["check", "--max-executions", "1000"]]
        way = self.random.choice(ways)
        limits = ["--time-limit", "5"]
        code, out, err = self.run([*way, "--json", *limits, name])
        if code not in {0, 1, 2, 3, 4}:
            kept = os.path.join(tempfile.gettempdir(), f"attacked-{self.options.seed}-{i}{ending}")
            shutil.copy(os.path.join(self.folder, name), kept)
            err = f"{kept} {err}"
        self.judge(attack, code, {0, 1, 2, 3, 4}, f"{way} {err} {out}")
        return code

    def limits(self, attack, i):
        mebibyte = 1 << 20
        kinds = [[(resource.RLIMIT_FSIZE, self.random.choice((0, 1, 4096, mebibyte, 64 * mebibyte)))],
                 [(resource.RLIMIT_NOFILE, self.random.randrange(3, 16))],
                 [(resource.RLIMIT_CPU, 1)],
                 # With less than 32 KiB the loader of any program may fail: the kernel takes up to 8 KiB at random.
                 [(resource.RLIMIT_STACK, self.random.choice((32, 64, 128, 256, 512, 1024)) * 1024)]]
        if not self.options.sanitized:
            kinds.append([(resource.RLIMIT_AS, self.random.choice((20, 60, 200, 500, 1500)) * mebibyte)])
            kinds.append([(resource.RLIMIT_DATA, self.random.choice((1, 8, 32)) * mebibyte)])
        ways = (["check", "--json", "--html", "page.html", "--save", "limited.mzk", "bug.c"],
                ["check", "--json", "--sarif", "log.sarif", "./bug"],
                ["states", "--json", "--time-limit", "2", "big.tck"],
                ["unfold", "--json", "--deadlock", "--time-limit", "2", "big.tck"])
        limit = kinds[i % len(kinds)]
        way = ways[i // len(kinds) % len(ways)]
        code, out, err = self.run(way, limits=limit)
        # A limit on the processor's time kills by itself.
        allowed = {1, 2, 3} | ({-signal.SIGXCPU, -signal.SIGKILL} if limit[0][0] == resource.RLIMIT_CPU else set())
        # Where not even the C library can be loaded, the loader says so.
        allowed |= {127} if limit[0][0] in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_DATA) else set()
        if way[0] == "unfold":
            allowed |= {0}  # it has no deadlock, and that may be found out in time
        self.judge(attack, code, allowed, f"{limit} {way} {out}{err}")
        return code

    def full_disk(self, attack, i):
        page = os.path.join(self.folder, "kept.html")
        with open(page, "w") as file:
            file.write("older")
        mebibyte = 1 << 20
        cases = (
            # what, limits, arguments, TMPDIR, expected
            (["check", "--json", "--html", "/dev/full", "./bug"], (), None, {1}),
            (["check", "--json", "--save", "/dev/full", "--sarif", "/nonexistent/x", "./bug"], (), None, {1}),
            (["check", "--json", "--junit", self.folder, "./bug"], (), None, {1}),
            (["check", "--json", "--html", "/dev/full", "./safe"], (), None, {2}),
            (["check", "--json", "bug.c"], (), "/nonexistent", {2}),
            (["check", "--json", "bug.c"], (), "/proc", {2}),
            (["check", "--json", "bug.c"], (), page, {2}),
            (["check", "--json", "--html", page, "./bug"], ((resource.RLIMIT_FSIZE, 1000 * mebibyte),), None, {1}),
            (["unfold", "--json", "--convert", "/dev/full", "big.tck"], (), None, {2}),
        )
        arguments, limits, folder, allowed = cases[i % len(cases)]
        environment = self.environment()
        if folder is not None:
            environment["TMPDIR"] = folder
        code, out, err = self.run(arguments, limits=limits, environment=environment)
        self.judge(attack, code, allowed, f"{arguments} {out}{err}")
        if not os.path.exists("/dev/full"):
            self.fail(attack, "/dev/full is gone")
        if code == 1 and json.loads(out)["result"] != "bug":
            self.fail(attack, f"the bug is lost: {out}")
        return code

    def full_file_system(self, attack, i):
        """A temporary folder on a file system of a few pages, where such can be mounted."""
        script = (f"mount -t tmpfs -o size={self.random.choice((4, 16, 64, 256))}k tmpfs {self.temporary} && "
                  f'"$@"; code=$?; ls -A {self.temporary} | grep ^mazurka && exit 99; exit $code')
        code, out, err = self.run(["check", "--json", "bug.c"], prefix=["unshare", "-rm", "sh", "-c", script, "sh"])
        self.judge(attack, code, {1, 2}, out + err)
        return code

    def signals(self, attack, i):
        number = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[i % 3]
        ways = (["check", "--json", "safe.c"], ["check", "--json", "--algorithm=unfolding", "./safe"],
                ["states", "--json", "big.tck"], ["unfold", "--json", "--deadlock", "big.tck"],
                ["unfold", "--json", "big.tck"])
        way = ways[i % len(ways)]
        ended = self.cpu_of_ended()
        process = self.start(way)
        time.sleep(self.random.random() * 0.9)
        # A signal before main has begun ends the process, as it ends any other: nothing was started.
        allowed = {0, 1, 3} | (set() if self.catches(process, number) else {-number})
        before = self.cpu_of_running()
        process.send_signal(number)
        code, out, err = self.finish(process)
        if way[-1] == "safe.c":
            allowed |= {2}  # the compiler was told to stop as well
        self.judge(attack, code, allowed, f"{number} {way} {out}{err}")
        used = self.cpu_of_ended() - ended - before
        if used > self.options.second:
            self.fail(attack, f"{way} took {used:.1f} s of CPU time after signal {number}")
        return code

    def strange_inputs(self, attack, i):
        cases = (["states", "--json", "/dev/zero"], ["unfold", "--json", "/dev/zero"], ["replay", "--json", "/dev/zero"],
                 ["unfold", "--json", "/dev/urandom"], ["check", "--json", "/dev/zero"], ["states", "--json", "/dev/null"],
                 ["check", "--json", "/usr/bin/touch", "--", "touched"], ["check", "--json", "/bin/sh"],
                 ["check", "--json", self.folder], ["unfold", "--json", "-"])
        ended = self.cpu_of_ended()
        stdin = open("/dev/zero", "rb") if cases[i % len(cases)][-1] == "-" else subprocess.DEVNULL
        code, out, err = self.run(cases[i % len(cases)], stdin=stdin)
        self.judge(attack, code, {2}, f"{cases[i % len(cases)]} {out}{err}")
        used = self.cpu_of_ended() - ended
        if used > 3 * self.options.second:
            self.fail(attack, f"{cases[i % len(cases)]} took {used:.1f} s of CPU time")
        if os.path.exists(os.path.join(self.folder, "touched")):
            self.fail(attack, "a program that is not built for mazurka was run")
        return code

    def run_all(self):
        counts = (lambda sample, whole: sample if self.options.sample else whole)
        self.prepare()
        self.attack("worker killed", counts(3, 250), self.kill_worker)
        self.attack("explorer killed", counts(2, 250), self.kill_explorer)
        self.attack("segment damaged", counts(12, 1000), self.damage)
        self.attack("schedule mutated", counts(10, 1000), self.mutated_schedule)
        self.attack("checkpoint mutated", counts(4, 500), self.mutated_checkpoint)
        self.attack("model mutated", counts(10, 1000), self.mutated_model)
        self.attack("resource limits", counts(2, 240), self.limits)
        self.attack("unwritable", counts(4, 90), self.full_disk)
        mountable = subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", self.temporary],
                                   stderr=subprocess.DEVNULL).returncode == 0
        if mountable and not self.options.sample:
            self.attack("file system full", 40, self.full_file_system)
        self.attack("signals", counts(2, 150), self.signals)
        self.attack("strange inputs", counts(2, 30), self.strange_inputs)

    def report(self):
        width = max(len(row[0]) for row in self.rows) if self.rows else 0
        print(f"{'attack':{width}}  runs  failures  slowest  exit codes")
        for name, count, codes, slowest, failures in self.rows:
            ends = ", ".join(f"{code}: {number}" for code, number in sorted(codes.items(), key=str))
            print(f"{name:{width}}  {count:4}  {failures:8}  {slowest:5.1f} s  {ends}")
        for failure in self.failures[:50]:
            print("FAILED", failure.replace("\n", " "))
        shutil.rmtree(self.folder)
        return 1 if self.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mazurka", required=True)
    parser.add_argument("--programs", required=True, help="where the programs under test were built")
    parser.add_argument("--sample", action="store_true", help="a few of each")
    parser.add_argument("--sanitized", action="store_true", help="the binary needs address space without limits")
    parser.add_argument("--only", help="one attack, by its name in the table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--second", type=float, default=1.5, help="of CPU time that may pass where a second is promised")
    options = parser.parse_args()
    attacks = Attacks(options)
    try:
        attacks.run_all()
    finally:
        code = attacks.report()
    sys.exit(code)


if __name__ == "__main__":
    main()
