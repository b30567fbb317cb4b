#!/usr/bin/env python3
"""The bench lines of an engine log as a table: what, seconds, rate.

    bench_table.py LOG.jsonl
"""
import json
import sys

with open(sys.argv[1]) as f:
    points = [line for line in map(json.loads, f) if line["type"] == "bench"]
for p in sorted(points, key=lambda p: (p["kind"], str(p["params"]))):
    what = " ".join(f"{k}={v}" for k, v in p["params"].items())
    if p["flop"]:
        rate = f"{p['flop'] / p['median_s'] / 1e12:8.1f} TFLOP/s"
    else:
        rate = f"{p['bytes'] / p['median_s'] / 1e9:8.1f} GB/s"
    print(f"{p['kind']:12} {what:75} {1e6 * p['median_s']:10.1f} us {rate} {' '.join(p['flags'])}")
