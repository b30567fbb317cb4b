"""From visits to a table: do the losses agree, how fast is each, what explains our time, was the machine quiet."""
import numpy as np

import ratio
from inputs import BATCH

AGREE = 1e-4      # of a loss, relative
CONTENDED = 0.03  # share of the machine that others may take
OURS = 2          # the first so many contenders are the engine's


def disagreement(visits):
    """The largest relative difference of any loss from ours in the same step."""
    ours = np.array(next(iter(visits.values()))[0].losses)
    return {name: float(np.max(np.abs(np.array(v[0].losses) / ours - 1))) for name, v in visits.items()}


def phase_shares(steps, seconds):
    """part -> share of wall time, mean over ranks and steps; parts no scope claimed are 'launch'."""
    wall = sum(seconds)
    return {part: sum(s["phase"][part]["mean"] for s in steps) / wall for part in steps[0]["phase"]}


def phases_of(group):
    return phase_shares([step for v in group for step in v.steps], [seconds for v in group for seconds in v.step_s])


def contender_of(name, group, tokens):
    step_s = ratio.median(group)
    return {"name": name, "step_s": step_s, "tok_per_s": tokens / step_s,
            "start_s": float(np.median([v.start_s for v in group])),
            "visits": [v.step_s for v in group], "losses": group[0].losses}


def ratio_of(ours, theirs, visits):
    speedup, low, high = ratio.speedup(visits[ours], visits[theirs])
    return {"ours": ours, "theirs": theirs, "ratio": speedup, "low": low, "high": high}


def result_of(name, s, visits):
    """Everything that is printed, or why there is nothing to print."""
    apart = disagreement(visits)
    result = {"model": name, "shape": s.config(), "batch": BATCH,
              "losses_apart": apart, "agree": max(apart.values()) <= AGREE}
    if not result["agree"]:
        return result
    tokens, names = BATCH * s.sequence, list(visits)
    result["others"] = max(v.others for group in visits.values() for v in group)
    result["load"] = max(v.load for group in visits.values() for v in group)
    result["contenders"] = [contender_of(n, visits[n], tokens) for n in names]
    result["ratios"] = [ratio_of(o, t, visits) for o in names[:OURS] for t in names[OURS:]]
    result["phases"] = {n: phases_of(visits[n]) for n in names[:OURS]}
    return result


def show(r):
    s = r["shape"]
    print(f"\n{r['model']}: {s['layers']} layers, width {s['width']}, vocabulary {s['vocabulary']}, "
          f"{r['batch']} x {s['sequence']} tokens, fp32")
    apart = [f"{x:.1e} ({n})" for n, x in list(r["losses_apart"].items())[1:]]
    print("losses differ from ours by at most " + ", ".join(apart))
    if not r["agree"]:
        print(f"NO SPEED IS SHOWN: the losses have to agree to {AGREE}")
        return
    print(f"{'':30}{'s/step':>10}{'tokens/s':>10}{'to 1st step':>13}")
    for c in r["contenders"]:
        print(f"{c['name']:30}{c['step_s']:10.4f}{c['tok_per_s']:10.0f}{c['start_s']:11.1f} s")
    for x in r["ratios"]:
        print(f"{x['ours']} against {x['theirs']}: {x['ratio']:.2f} times as fast [{x['low']:.2f}, {x['high']:.2f}]: "
              f"{ratio.verdict(x['low'], x['high'])}")
    for name, shares in r["phases"].items():
        claimed = sum(share for part, share in shares.items() if part != "launch")
        largest_first = sorted(shares.items(), key=lambda x: -x[1])
        parts = ", ".join(f"{part} {share:.1%}" for part, share in largest_first if share >= 0.0005)
        print(f"{name}: {parts}")
        too_little = "" if claimed >= 0.98 else ": LESS THAN 98 %"
        print(f"  named parts explain {claimed:.1%} of the wall time" + too_little)
    if r["others"] > CONTENDED:
        print(f"CONTENDED: other programs took up to {r['others']:.0%} of the machine in a visit "
              f"(load {r['load']:.1f}): measure again")
