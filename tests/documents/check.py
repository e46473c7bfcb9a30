#!/usr/bin/env python3
"""Compares numbers in the documents with the code that they are about. Exits 1 and names those that differ.

    tests/documents/check.py

A row: the document, a pattern whose group is the number there, and the number in the code (a value, or a file with a
pattern). A document that no longer has the sentence fails too: then the row goes with it.
"""
import pathlib
import re
import runpy
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = {"eight": 8}


def number(text):
    """2,048 · 0x10 · 1U << 17 · 3'000 · eight"""
    text = text.strip().replace(",", "").replace("'", "")
    if text in WORDS:
        return WORDS[text]
    text = re.sub(r"(?<=[0-9a-fA-F])[uUlL]+\b", "", text)
    base, _, shift = text.partition("<<")
    return int(base, 0) << int(shift or "0", 0)


def in_file(name, pattern):
    found = re.search(pattern, (ROOT / name).read_text())
    return number(found.group(1)) if found else None


def scenarios(name):
    """How many scenarios of a table of programs have an error (a comment with their name), and how many have none."""
    every, marked = set(), set()
    for line in (ROOT / "tests/programs" / name).read_text().split("\n"):
        if not line.startswith("#define"):
            marked |= {m[1] for m in re.finditer(r"/\* (\w+)[\w -]* \*/", line)}
            every |= {m[1] for m in re.finditer(r"SCENARIO\((\w+)\)", line)}
    return len(every & marked), len(every - marked)


def constant(file, name):
    return in_file(file, rf"\b{name} = ([\w' <]+);")


MUTATIONS = len(runpy.run_path(str(ROOT / "tests/mutations/run.py"), run_name="read")["MUTATIONS"])
RACES, WITHOUT_RACE = scenarios("races.cpp")
MEMORY, MEMORY_TWINS = scenarios("memory.cpp")

ROWS = [
    ("docs/protocol.md", r"`protocol::kVersion` \((\d+)\)", constant("src/program/protocol.hpp", "kVersion")),
    ("docs/protocol.md", r"There are up to (\w+) checkpoints", constant("runtime/memory/checkpoint.cpp", "kMaxCheckpoints")),
    ("docs/protocol.md", r"whose state exceeds (\d+) MiB", in_file("runtime/memory/checkpoint.cpp", r"kLevelBytes = (\d+)U << 20;")),
    ("docs/protocol.md", r"repeats the job, up to (\d+) times", constant("src/program/executor.cpp", "kRetries")),
    ("docs/protocol.md", r"Slots of the first (\d+) threads", constant("runtime/memory/layout.hpp", "kLargeSlots")),
    ("docs/dpor.md", r"lets each thread take ([\d,]+) steps", constant("src/core/deepening.hpp", "kFirstSteps")),
    ("docs/dpor.md", r"implies more than\s+(\d+) threads", constant("src/core/deepening.hpp", "kFirstThreads")),
    ("docs/dpor.md", r"or for ([\d,]+) steps", constant("src/core/deepening.hpp", "kFar")),
    ("docs/dpor.md", r"preempts a running thread every ([\d,]+) steps", constant("runtime/scheduling/scheduler.cpp", "kTurn")),
    ("docs/dpor.md", r"On ([\d,]+) random networks a run, with locks", constant("src/dpor/explore_test.cpp", "kCases")),
    ("docs/dpor.md", r"breaks the code in (\d+) ways", MUTATIONS),
    ("docs/prefix.md", r"on ([\d,]+) random safe contextual nets", constant("src/prefix/unfolder_random_test.cpp", "kCases")),
    ("docs/stateful.md", r"Beyond (\d+) minimal sets", constant("src/stateful/triples.cpp", "kMostSets")),
    ("docs/hunting.md", r"takes ([\d,]+) steps in a row", constant("src/core/priorities.hpp", "kLongRun")),
    ("docs/races.md", r"with: (\d+) races and", RACES),
    ("docs/races.md", r"races and (\d+) programs without one", WITHOUT_RACE),
    ("docs/races.md", r"(\d+) memory errors and", MEMORY),
    ("docs/races.md", r"memory errors and (\d+) twins", MEMORY_TWINS),
    ("docs/reports.md", r"bounded by ([\d,]+) runs", constant("src/report/minimise.hpp", "max_runs")),
    ("docs/unfolding.md", r"a round has more than (\d+) steps", constant("src/core/hangs.cpp", "kLongestRound")),
    ("README.md", r"at most ([\d,]+) different threads", constant("src/program/protocol.hpp", "kMaxProcesses")),
    ("README.md", r"The first (\d+) have", constant("runtime/memory/layout.hpp", "kLargeSlots")),
]


def main():
    wrong = 0
    for document, pattern, truth in ROWS:
        said = in_file(document, pattern)
        if said is None or said != truth:
            print(f"{document}: `{pattern}` is {said}, the code has {truth}")
            wrong += 1
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
