"""Medians, and an interval for the ratio of two programs' step times from interleaved visits."""
import numpy as np

DRAWS = 2000


def median(visits):
    """Of all steps of all visits, in seconds."""
    return float(np.median(np.concatenate([v.step_s for v in visits])))


def speedup(ours, theirs, seed=1):
    """(median of theirs / ours, lower and upper end of its 95 % bootstrap interval); above 1: ours is faster.

    Visits are drawn in pairs, the n-th of ours with the n-th of theirs, so that a slow minute that both met does not
    count as a difference; steps are drawn within the visits.
    """
    rng = np.random.default_rng(seed)
    mine, other = ([np.asarray(v.step_s) for v in visits] for visits in (ours, theirs))
    ratios = []
    for _ in range(DRAWS):
        pairs = rng.integers(len(mine), size=len(mine))
        drawn = [np.median(np.concatenate([rng.choice(side[i], side[i].size) for i in pairs]))
                 for side in (other, mine)]
        ratios.append(drawn[0] / drawn[1])
    low, high = np.percentile(ratios, [2.5, 97.5])
    return median(theirs) / median(ours), float(low), float(high)


def verdict(low, high):
    return "faster" if low > 1 else "slower" if high < 1 else "no difference shown"
