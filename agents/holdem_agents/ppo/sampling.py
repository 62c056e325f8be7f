"""How the actions of a rollout are drawn: in one pass, because a rollout has many small batches."""

from __future__ import annotations

import numpy as np

from holdem_env.compiled.compiler import kernel
from holdem_env.engine.batch import NO_MOVE


@kernel
def sample(logits, choices, uniform, action, log_prob, moves):  # type: ignore[no-untyped-def]
    """Draw an offered action from the softmax of each row of logits.

    logits: (B, A) float32. choices: (B, A) int64 moves, NO_MOVE where not offered. uniform: (B,) in [0, 1).
    Writes action, its log_prob and its move.
    """
    for k in range(logits.shape[0]):
        top, total = -np.inf, 0.0
        for a in range(logits.shape[1]):
            if choices[k, a] != NO_MOVE and logits[k, a] > top:
                top = logits[k, a]
        for a in range(logits.shape[1]):
            if choices[k, a] != NO_MOVE:
                total += np.exp(logits[k, a] - top)
        left, chosen = uniform[k] * total, -1
        for a in range(logits.shape[1]):
            if choices[k, a] != NO_MOVE:
                chosen = a
                left -= np.exp(logits[k, a] - top)
                if left < 0:
                    break
        action[k] = chosen
        log_prob[k] = logits[k, chosen] - top - np.log(total)
        moves[k] = choices[k, chosen]
