#!/usr/bin/env python3
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# trace_svg.py TRACE.json > PICTURE.svg: the rows, slices and arrows of a trace as a picture, laid out as trace viewers do. For
# the documentation; neither build needs it.

import html
import json
import sys

WIDTH, LEFT, ROW, GAP = 1200, 150, 26, 8
COLOURS = ["#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#e15759", "#76b7b2", "#edc948", "#9c755f"]

events = json.load(open(sys.argv[1], encoding="utf-8"))["traceEvents"]
slices = [e for e in events if e["ph"] == "X"]
processes, threads = {}, {}
for e in events:
    if e["ph"] == "M" and e["name"] == "process_name":
        processes[e["pid"]] = e["args"]["name"]
    if e["ph"] == "M" and e["name"] == "thread_name":
        threads[e["pid"], e["tid"]] = e["args"]["name"]
begin = min(e["ts"] for e in slices)
end = max(e["ts"] + e["dur"] for e in slices)
scale = (WIDTH - LEFT - 10) / (end - begin)
kinds = {"cuda_driver": 0, "cuda_runtime": 0}
rows = sorted({(e["pid"], e["tid"]) for e in slices}, key=lambda r: (not any(s["cat"] in kinds for s in slices if (s["pid"], s["tid"]) == r), r))
top = {row: 34 + i * (ROW + GAP) for i, row in enumerate(rows)}
height = 34 + len(rows) * (ROW + GAP) + 6
names = sorted({e["name"] for e in slices})
colour = {n: COLOURS[i % len(COLOURS)] for i, n in enumerate(names)}
x = lambda ts: LEFT + (ts - begin) * scale

print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="11">')
print(f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>')
for i in range(7):
    t = (end - begin) * i / 6
    print(f'<line x1="{x(begin + t):.1f}" x2="{x(begin + t):.1f}" y1="20" y2="{height}" stroke="#dddddd"/>')
    print(f'<text x="{x(begin + t):.1f}" y="14" text-anchor="{"end" if i == 6 else "start"}" fill="#666666">{t / 1000:.2f} ms</text>')
for row in rows:
    label = f"{processes.get(row[0], row[0])}: {threads.get(row, row[1])}"
    print(f'<text x="6" y="{top[row] + ROW / 2 + 4}">{html.escape(label)}</text>')
for e in slices:
    w = max(e["dur"] * scale, 0.7)
    y = top[e["pid"], e["tid"]]
    tip = e["name"] + "\n" + "\n".join(f"{k}: {v}" for k, v in e["args"].items())
    print(f'<g><rect x="{x(e["ts"]):.1f}" y="{y}" width="{w:.1f}" height="{ROW}" fill="{colour[e["name"]]}" stroke="#ffffff" stroke-width="0.4"/>')
    if w > 7 * len(e["name"]) + 4:
        print(f'<text x="{x(e["ts"]) + 3:.1f}" y="{y + ROW / 2 + 4}" fill="#ffffff">{html.escape(e["name"])}</text>')
    print(f"<title>{html.escape(tip)}</title></g>")
starts = {e["id"]: e for e in events if e["ph"] == "s"}
for e in events:
    if e["ph"] == "f" and e["id"] in starts:
        s = starts[e["id"]]
        a, b = (x(s["ts"]), top[s["pid"], s["tid"]] + ROW), (x(e["ts"]), top[e["pid"], e["tid"]])
        print(f'<path d="M{a[0]:.1f},{a[1]} C{a[0]:.1f},{b[1]} {b[0]:.1f},{a[1]} {b[0]:.1f},{b[1]}" fill="none" stroke="#333333" stroke-width="0.5" opacity="0.6"/>')
print("</svg>")
