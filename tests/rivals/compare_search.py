#!/usr/bin/env python3
"""Every layout of the common space of GPT-3 175B on 1,024 A100, in Plimsoll and in Calculon.

  tests/rivals/compare_search.py --plimsoll build/release/bin/plimsoll --calculon CHECKOUT

CHECKOUT is a clone of github.com/calculon-ai/calculon; nothing of it is part of this
project and no test runs this. It needs numpy and psutil. Prints the wall time of both, who says what fits and why
they differ, the rank correlation of the step times where both fit, and the share of
either's ten fastest among the other's ten.
"""

import argparse
import json
import logging
import pathlib
import statistics
import subprocess
import sys
import time

DEVICES, BATCH, NODE = 1024, 1536, 8
SCENARIO = "gpt3-175b-1024-a100"
RECOMPUTE = {"full": "full", "attn_only": "selective", "none": "none"}


def theirs(checkout):
    """Step time of each layout Calculon calls good, and the seconds it took to ask about all."""
    sys.path.insert(0, str(checkout))
    import calculon
    from calculon.llm import Llm, OptimalExecution
    from calculon.system import System

    app = Llm.Application(calculon.io.read_json_file(str(checkout / "models/gpt3-175B.json")))
    machine = calculon.io.read_json_file(str(checkout / "systems/a100_80g.json"))
    machine["mem2"]["GiB"] = 0
    machine = System(machine)
    log = logging.Logger("silent")
    good, count, began = {}, 0, time.perf_counter()
    for tp in (1, 2, 4, 8):
        for pp in Llm.get_all_pipeline_parallelisms(DEVICES, tp, app.num_blocks):
            dp = Llm.get_data_parallelism(DEVICES, tp, pp)
            batch = OptimalExecution.get_batch_size(dp, BATCH)
            for chunks in Llm.get_valid_pipeline_interleavings(app.num_blocks, pp):
                for micro in Llm.get_valid_microbatch_sizes(app.seq_size, tp, dp, batch, pp):
                    for recompute in RECOMPUTE:
                        for sharded in (True, False):
                            for comm in ("ar", "rs_ag"):
                                count += 1
                                plan = {
                                    "num_procs": DEVICES, "tensor_par": tp, "pipeline_par": pp, "data_par": dp,
                                    "tensor_par_net": 0, "pipeline_par_net": 1 if pp > 1 else 0,
                                    "data_par_net": 1 if dp > 1 else 0, "batch_size": batch,
                                    "microbatch_size": micro, "datatype": "float16", "fused_activation": True,
                                    "attention_type": "multihead", "activation_recompute": recompute,
                                    "pipeline_interleaving": chunks, "optimizer_sharding": sharded,
                                    "tensor_par_comm_type": comm, "tensor_par_overlap": "none",
                                    "seq_par_ag_redo": False, "data_par_overlap": False, "weight_offload": False,
                                    "activations_offload": False, "optimizer_offload": False, "training": True}
                                try:
                                    model = Llm(app, log)
                                    model.compile(machine, Llm.Execution.from_json(plan))
                                    model.run(machine)
                                except Llm.Error:
                                    continue
                                key = (tp, pp, micro, chunks, RECOMPUTE[recompute], sharded, comm == "rs_ag")
                                good[key] = model.get_total_time()
    return good, count, time.perf_counter() - began


def ours(plimsoll):
    said = json.loads(subprocess.run([plimsoll, "search", SCENARIO, "--space", "common", "--limit", "20000", "--json"],
                                     capture_output=True, text=True, check=True).stdout)
    timed = json.loads(subprocess.run([plimsoll, "search", SCENARIO, "--space", "common", "--json"],
                                      capture_output=True, text=True, check=True).stdout)

    def key(layout):
        return (layout["tensor_parallel"], layout["pipeline_parallel"], layout["micro_batch"], layout["virtual_stages"],
                layout["recompute"], layout["zero_stage"] == 1, layout["sequence_parallel"])

    fits = {key(layout): layout["step_seconds"] for layout in said["top"]}
    excess = {key(miss): miss["excess"] for miss in said["near_misses"]}
    return fits, excess, said["count"], timed["seconds"]


def reason(key, excess):
    tp, pp, micro, chunks, _, _, sequence = key
    if key in excess:
        return "we: too much memory"
    if sequence and tp == 1:
        return "we: sequence parallelism needs tensor ranks"
    data = DEVICES // (tp * pp)
    if BATCH % (data * micro):
        return "we: the batch does not divide (it trains on a smaller one)"
    if chunks > 1 and (BATCH // data // micro) % pp:
        return "we: interleaving needs micro-batches in multiples of the stages"
    return "we: another rule"


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    found = [0] * len(values)
    for rank, i in enumerate(order):
        found[i] = rank
    return found


def correlation(a, b):
    a, b = ranks(a), ranks(b)
    ma, mb = statistics.mean(a), statistics.mean(b)
    covariance = sum((x - ma) * (y - mb) for x, y in zip(a, b))
    variances = sum((x - ma) ** 2 for x in a) * sum((y - mb) ** 2 for y in b)
    return covariance / variances ** 0.5


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--plimsoll", required=True)
    arguments.add_argument("--calculon", required=True, type=pathlib.Path)
    a = arguments.parse_args()
    fits, excess, count, seconds = ours(a.plimsoll)
    good, their_count, their_seconds = theirs(a.calculon)
    print(f"layouts: {count} here, {their_count} there")
    print(f"one core: {seconds * 1e3:.1f} ms here, {their_seconds:.1f} s there, "
          f"{their_seconds / seconds:,.0f} times as long")
    both = [key for key in fits if key in good]
    print(f"fit: {len(fits)} here, {len(good)} there, {len(both)} in both")
    classes = {}
    for key in good:
        if key not in fits:
            classes.setdefault(reason(key, excess), []).append(excess.get(key))
    for what, all_of in sorted(classes.items(), key=lambda c: -len(c[1])):
        known = [e for e in all_of if e is not None]
        more = f", median {100 * statistics.median(known):.0f} % too much" if known else ""
        print(f"  {len(all_of)} fit there only; {what}{more}")
    only = [key for key in fits if key not in good]
    for recompute in ("none", "selective", "full"):
        some = [key for key in only if key[4] == recompute]
        if some:
            print(f"  {len(some)} fit here only, {recompute} recomputation, "
                  f"{sum(key[6] for key in some)} of them with sequence parallelism")
    alike = correlation([fits[k] for k in both], [good[k] for k in both])
    print(f"rank correlation of the step times where both fit: {alike:.3f}")
    print(f"their time over ours: median {statistics.median(good[k] / fits[k] for k in both):.3f}")
    ten = lambda times: set(sorted(both, key=times.get)[:10])
    print(f"of the ten fastest of either, in both: {len(ten(fits) & ten(good))}")
    best, own = min(good, key=good.get), min(fits, key=fits.get)
    print(f"their best {best}: {good[best]:.2f} s there, {fits.get(best, float('nan')):.2f} s here; "
          f"our best {own}: {fits[own]:.2f} s")


if __name__ == "__main__":
    main()
