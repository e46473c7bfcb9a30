#!/usr/bin/env python3
"""Debian's code, unchanged, under `mazurka check`: one row for each code base, and rows with planted bugs.

    table-debian [--seconds 60] [--only TEXT] [--list] [--folder FOLDER] [--mazurka BINARY]

Sources and headers are fetched when they are needed (archive.py). Each row says what was expected of it; the command
fails if a row comes out otherwise.
"""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys

sys.dont_write_bytecode = True  # the folder of the sources stays as it is

from archive import Unavailable
from rows import PLANTED, ROWS
from workshop import Workshop

COLUMNS = (("row", 36), ("verdict", 14), ("executions", 11), ("per second", 11), ("peak MiB", 9), ("seconds", 8))


def check(workshop, row, seconds):
    """The row's outcome as a dictionary: result, executions, per_second, mebibytes, seconds, detail."""
    try:
        command = row.build(workshop)
    except Unavailable as problem:
        return {"verdict": "not built", "detail": str(problem)}
    limit = row.seconds or seconds
    call = [workshop.mazurka, "check", "--json", "--time-limit", limit, *row.options, command[0]]
    if command[1:]:
        call += ["--", *command[1:]]
    where = pathlib.Path(command[0]).parent
    if row.one_processor:
        call = ["taskset", "-c", min(os.sched_getaffinity(0)), *call]
    child = subprocess.Popen([str(part) for part in call], cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)
    try:
        output, errors = child.communicate(timeout=limit + 120)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGTERM)
        child.communicate()
        return {"verdict": "no answer", "detail": f"still running 120 s after its limit of {limit} s"}
    (where / "report.json").write_text(output)
    try:
        report = json.loads(output)
    except json.JSONDecodeError:
        return {"verdict": "no answer", "detail": (errors or output).strip()[-300:]}
    return summary(report, child.returncode)


def summary(report, status):
    verdict = report.get("result", f"exit {status}")
    detail = ""
    if report.get("errors"):
        error = report["errors"][0]
        verdict = error["kind"] if verdict in ("bug", "error") else verdict
        detail = error.get("message", "").splitlines()[0] if error.get("message") else ""
    elif report.get("incomplete"):
        detail = "; ".join(f"{reason['reason']}: {reason['message']}" for reason in report["incomplete"])
    elif report.get("message"):
        detail = report["message"]
    return {"verdict": verdict, "executions": report.get("executions"), "per second": report.get("executions_per_second"),
            "peak MiB": report.get("peak_rss_kib", 0) / 1024, "seconds": report.get("seconds"), "detail": detail}


def text_of(outcome, column):
    value = outcome.get(column)
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.1f}" if column == "seconds" else f"{value:.0f}"
    return str(value)


def print_row(row, outcome):
    cells = [f"{row.name:<{COLUMNS[0][1]}}", f"{outcome['verdict']:<{COLUMNS[1][1]}}"]
    cells += [f"{text_of(outcome, column):>{width}}" for column, width in COLUMNS[2:]]
    print("".join(cells) + (f"  {row.note}" if row.note else ""))
    if outcome["verdict"] != "ok" and outcome.get("detail"):
        print(f"    {outcome['detail']}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--mazurka", default="build/release/src/cli/mazurka")
    parser.add_argument("--folder", default="build/table-debian", help="for packages, programs and reports")
    parser.add_argument("--seconds", type=int, default=60, help="time limit of a row that has none of its own")
    parser.add_argument("--only", default="", help="rows whose names contain this")
    parser.add_argument("--list", action="store_true", help="the rows' names")
    options = parser.parse_args()
    workshop = Workshop(options.mazurka, options.folder)
    failed = 0
    for title, rows in (("unchanged", ROWS), ("with a planted bug", PLANTED)):
        rows = [row for row in rows if options.only in row.name]
        if options.list:
            print(*(row.name for row in rows), sep="\n")
            continue
        if not rows:
            continue
        print(f"{title}\n" + "".join(f"{name:<{width}}" if i < 2 else f"{name:>{width}}"
                                     for i, (name, width) in enumerate(COLUMNS)) + "  note")
        answered = 0
        for row in rows:
            outcome = check(workshop, row, options.seconds)
            print_row(row, outcome)
            answered += outcome["verdict"] not in ("incomplete", "not built", "no answer", "unsupported", "nondeterminism")
            if row.expect != outcome["verdict"]:
                print(f"    expected: {row.expect}")
                failed += 1
        print(f"{answered} of {len(rows)} rows have a verdict\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
