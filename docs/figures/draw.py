#!/usr/bin/env python3
"""Draws the figures of the documents as SVG, without any library.

    docs/figures/draw.py           writes execution.svg, wakeup_tree.svg, unfolding.svg and protocol.svg beside itself
    docs/figures/draw.py --check   exits 1 if one of them is not what would be written

Figures 10 and 11 of stateful.md are measurements, which bench/table-stateful draws.
"""
import pathlib
import sys
from html import escape

FOLDER = pathlib.Path(__file__).resolve().parent
INK, GREY, LIGHT, RED, BLUE, GREEN = "#1b1f24", "#6e7781", "#eef1f4", "#cf222e", "#0969da", "#1a7f37"


class Drawing:
    """A few shapes with a white ground, so that the figure can be read on any page."""

    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self.parts = []

    def rectangle(self, x, y, w, h, fill="white", stroke=INK, dash=None, radius=6, width=1.5):
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{radius}" fill="{fill}" '
                          f'stroke="{stroke}" stroke-width="{width}"{dashed}/>')

    def text(self, x, y, words, size=14, colour=INK, anchor="middle", bold=False, mono=False):
        weight = ' font-weight="bold"' if bold else ""
        family = ' font-family="ui-monospace, DejaVu Sans Mono, monospace"' if mono else ""
        self.parts.append(f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"'
                          f'{weight}{family}>{escape(words)}</text>')

    def line(self, *points, colour=INK, dash=None, arrow=True, width=1.5):
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        head = f' marker-end="url(#{colour[1:]})"' if arrow else ""
        path = " ".join(f"{x},{y}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}{head}/>')

    def curve(self, start, control, end, colour=INK, dash=None, arrow=False, width=1.5):
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        head = f' marker-end="url(#{colour[1:]})"' if arrow else ""
        self.parts.append(f'<path d="M{start[0]},{start[1]} Q{control[0]},{control[1]} {end[0]},{end[1]}" fill="none" '
                          f'stroke="{colour}" stroke-width="{width}"{dashed}{head}/>')

    def box(self, x, y, words, note="", w=76, h=34, **style):
        """A node around (x, y) with an optional second line."""
        self.rectangle(x - w / 2, y - h / 2, w, h, **style)
        if note:
            self.text(x, y - 2, words, 14, bold=True)
            self.text(x, y + 12, note, 10, GREY)
        else:
            self.text(x, y + 5, words, 14, bold=True)

    def write(self):
        heads = "".join(f'<marker id="{c[1:]}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
                        f'orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{c}"/></marker>'
                        for c in (INK, GREY, RED, BLUE, GREEN))
        body = "\n  ".join(self.parts)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
                f'viewBox="0 0 {self.width} {self.height}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" '
                f'role="img">\n  <title>{escape(self.title)}</title>\n  <defs>{heads}</defs>\n'
                f'  <rect width="100%" height="100%" fill="white"/>\n  {body}\n</svg>\n')


def execution():
    """p: x = 1     q: y = 1; a = x     r: z = 1; x = 2"""
    d = Drawing(760, 330, "An execution of three threads, its happens-before relation and its races")
    lanes = {"p": 70, "q": 140, "r": 210}
    for name, y in lanes.items():
        d.line((70, y), (730, y), colour=GREY, arrow=False, width=0.8)
        d.text(40, y + 5, name, 16, bold=True)
    at = {"p1": (150, 70), "q1": (260, 140), "q2": (380, 140), "r1": (510, 210), "r2": (640, 210)}
    labels = {"p1": "x = 1", "q1": "y = 1", "q2": "a = x", "r1": "z = 1", "r2": "x = 2"}
    d.line((298, 140), (342, 140))
    d.line((548, 210), (602, 210))
    d.line((188, 82), (346, 122), colour=RED, dash="6 4", width=2)
    d.line((418, 152), (602, 198), colour=RED, dash="6 4", width=2)
    d.curve((188, 66), (560, 60), (640, 192), colour=GREY, dash="2 4", arrow=True)
    for event, (x, y) in at.items():
        d.box(x, y, event, labels[event])
    d.text(268, 92, "race", 13, RED, bold=True)
    d.text(512, 160, "race", 13, RED, bold=True)
    d.text(610, 92, "ordered through q2:", 12, GREY, "start")
    d.text(610, 108, "no race", 12, GREY, "start")
    d.text(40, 30, "E = p1 q1 q2 r1 r2", 15, INK, "start", bold=True)
    d.text(40, 268, "Reversal of (p1, q2): H = q1, so v = q1.q2 is planned after the empty prefix.", 13, INK, "start")
    d.text(40, 290, "Reversal of (q2, r2): H = p1 q1 r1, so v = r1.r2 is planned after p1 q1.", 13, INK, "start")
    d.text(40, 312, "Black arrows: program order. Red arrows: races. Together they generate happens-before.", 12,
           GREY, "start")
    return d


def wakeup_tree():
    d = Drawing(760, 330, "The wakeup tree of the empty prefix after one and after two executions")

    def tree(left, heading, with_second):
        d.text(left + 165, 30, heading, 14, bold=True)
        d.box(left + 165, 70, "E = ε", w=70, h=30, fill=LIGHT)
        d.box(left + 60, 140, "p1", "being explored", w=104, fill=LIGHT, stroke=GREY)
        d.box(left + 235, 140, "q1")
        d.line((left + 145, 86), (left + 70, 121), colour=GREY)
        d.line((left + 185, 86), (left + 228, 121))
        d.box(left + 180 if with_second else left + 235, 210, "q2", "leaf", stroke=GREEN, width=2.5)
        if not with_second:
            d.line((left + 235, 158), (left + 235, 191))
            return
        d.line((left + 228, 158), (left + 186, 191))
        d.line((left + 242, 158), (left + 284, 191))
        d.box(left + 290, 210, "r1")
        d.line((left + 290, 228), (left + 290, 257))
        d.box(left + 290, 276, "r2", "leaf", stroke=GREEN, width=2.5)

    tree(10, "after E1 = p1 q1 q2 r1 r2", False)
    tree(385, "after E2 = p1 q1 r1 r2 q2", True)
    d.line((372, 50), (372, 300), colour=GREY, arrow=False, dash="2 4", width=1)
    d.text(20, 264, "race (p1, q2): insert q1.q2", 13, INK, "start")
    d.text(395, 236, "race (p1, r2):", 13, INK, "start")
    d.text(395, 254, "insert q1.r1.r2;", 13, INK, "start")
    d.text(395, 272, "q1 is there, and q2", 13, INK, "start")
    d.text(395, 290, "is no weak initial", 13, INK, "start")
    d.text(395, 308, "of r1.r2", 13, INK, "start")
    return d


def unfolding():
    """p: x = 1     q: a = x     r: b = x"""
    d = Drawing(760, 400, "The unfolding of a store and two loads: ten events, four maximal configurations")
    at = {
        "p": (110, 90), "q'": (65, 180), "r'": (155, 180),
        "q": (400, 90), "r": (600, 90),
        "p|q": (310, 180), "p|qr": (500, 180), "p|r": (690, 180),
        "r''": (310, 270), "q''": (690, 270),
    }
    words = {"p": ("p", "x = 1"), "q'": ("q", "a = x"), "r'": ("r", "b = x"), "q": ("q", "a = x"), "r": ("r", "b = x"),
             "p|q": ("p", "x = 1"), "p|qr": ("p", "x = 1"), "p|r": ("p", "x = 1"), "r''": ("r", "b = x"),
             "q''": ("q", "a = x")}
    d.rectangle(18, 52, 186, 166, fill=LIGHT, stroke=GREY, dash="4 4", width=1)
    d.text(111, 240, "configuration C1: p first", 12, GREY)
    d.curve((148, 84), (255, 56), (362, 84), colour=RED, dash="2 4", width=2)
    d.curve((148, 78), (340, 0), (562, 80), colour=RED, dash="2 4", width=2)
    d.line((348, 172), (564, 100), colour=RED, dash="2 4", width=2, arrow=False)
    d.line((652, 172), (436, 100), colour=RED, dash="2 4", width=2, arrow=False)
    for cause, effect in (("p", "q'"), ("p", "r'"), ("q", "p|q"), ("q", "p|qr"), ("r", "p|qr"), ("r", "p|r"),
                          ("p|q", "r''"), ("p|r", "q''")):
        (x1, y1), (x2, y2) = at[cause], at[effect]
        step = (x2 - x1) / (y2 - y1)
        d.line((round(x1 + 17 * step), y1 + 17), (round(x2 - 17 * step), y2 - 19))
    for event, (x, y) in at.items():
        d.box(x, y, *words[event], w=74)
    d.text(310, 310, "C2: q, p, r", 12, GREY)
    d.text(500, 222, "C3: q and r in any order, then p", 12, GREY)
    d.text(690, 310, "C4: r, p, q", 12, GREY)
    d.text(30, 344, "Arrows: immediate causality. Dotted red: immediate conflict. q and r at the top are concurrent.", 13, INK,
           "start")
    d.text(30, 366, "An event is its label and its history: p occurs four times, once for each set of loads that come before it.", 13,
           INK, "start")
    d.text(30, 388, "After C1, D = {p}. An alternative to D is J = {q}: it is in conflict with p, and leads to C2 or C3.", 13, INK,
           "start")
    return d


def protocol():
    d = Drawing(760, 520, "How an explorer and a worker hand an execution over")
    explorer, segment, worker = 130, 380, 630
    for x, name in ((explorer, "explorer"), (segment, "channel (shared memory)"), (worker, "worker")):
        d.box(x, 40, name, w=230 if x == segment else 130, fill=LIGHT)
        d.line((x, 58), (x, 452), colour=GREY, arrow=False, width=0.8)

    def message(y, start, end, words, colour=INK, dash=None):
        d.line((start + (6 if end > start else -6), y), (end - (6 if end > start else -6), y), colour=colour, dash=dash)
        d.text((start + end) / 2, y - 6, words, 12, colour)

    def activity(x, y, h, *lines):
        d.rectangle(x - 92, y, 184, h, fill="white", stroke=INK, radius=4, width=1.2)
        for i, words in enumerate(lines):
            d.text(x, y + 17 + 16 * i, words, 12)

    message(92, explorer, segment, "prefix, continuation, sleep set, bound")
    message(116, explorer, segment, "request += 1", BLUE)
    message(140, segment, worker, "wakes (futex) if it sleeps", BLUE)
    activity(worker, 152, 58, "restores the deepest check-", "point that fits, replays the", "prefix, runs to the end")
    activity(explorer, 152, 58, "plans reversals of the last", "execution, or feeds", "another worker")
    message(236, worker, segment, "each step: journal, event_count")
    message(262, worker, segment, "events, offers, pending, outcome, …")
    message(288, worker, segment, "answer = request", GREEN)
    message(312, segment, explorer, "wakes (futex) if it sleeps", GREEN)
    activity(explorer, 324, 58, "checks the answer, copies", "what has changed,", "looks for races")
    activity(worker, 324, 58, "meanwhile: restores the", "memory of the program", "(files: before the answer)")
    message(412, explorer, segment, "next job, request += 1", BLUE)
    message(436, segment, worker, "…", BLUE)
    d.text(30, 470, "If the worker dies, the journal has the schedule, up to the step in which it died.", 13, INK, "start")
    d.text(30, 492, "Each side spins for a moment before it sleeps on the word that it waits for.", 13, INK, "start")
    return d


FIGURES = {"execution": execution, "wakeup_tree": wakeup_tree, "unfolding": unfolding, "protocol": protocol}


def main():
    stale = 0
    for name, draw in FIGURES.items():
        path, text = FOLDER / f"{name}.svg", draw().write()
        if sys.argv[1:] != ["--check"]:
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            print(f"{path.name}: is not what draw.py writes; run make figures")
            stale += 1
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
