"""Magnetic mirror descent (Sokota et al. 2023) as a learner of `holdem train`:

    holdem train leduc --set learner.kind=docs/examples/mmd.py:MMD --set 'opponents={latest_self: 1}' \\
        --set learner.kl_coef=0 --set learner.gae_lambda=1 --set 'learner.entropy=[0.05, 0.05]'

Self-play by policy gradients, held back twice: by a proximal term toward the policy before the step, and by a magnet,
here the uniform policy. It converges to the quantal response equilibrium of the temperature.
"""

import numpy as np
import torch

from holdem_agents.ppo import PPO, Losses, Minibatch, log_probabilities


class MMD(PPO):
    """`learner.entropy` is the paper's temperature alpha, for rewards times `reward_scale`. stepsize: eta in the first
    `anneal` decisions; then it falls as one over the square root of decisions, to least_stepsize."""

    def __init__(self, policy, tables, *, stepsize=0.5, least_stepsize=0.05, anneal=100_000, **settings):
        super().__init__(policy, tables, **settings)
        self.stepsize, self.least_stepsize, self.anneal = stepsize, least_stepsize, anneal

    def train(self):
        """Take one step of mirror descent: `n_epochs` passes of gradient ascent to its maximum."""
        eta = max(self.least_stepsize, self.stepsize * float(np.sqrt(self.anneal / max(self.anneal, self.decisions))))
        self.kl_coef = 1 / eta
        self.before = np.empty((self.rollout_buffer.count, self.tables.num_actions), np.float32)
        rows = self.rollout_buffer.complete
        if len(rows):
            with torch.no_grad():
                self.before[rows] = self.evaluate(self.policy, rows)[0].cpu().numpy()
        return super().train() | {"train/stepsize": eta}

    def losses(self, batch: Minibatch) -> Losses:
        """The parts of the loss of a minibatch, each of shape (). `PPO` adds them: E[A] + alpha H - KL / eta, the
        paper's update with action values, whose magnet is uniform."""
        logits, values = self.evaluate(self.policy, batch.rows)
        log_probs = log_probabilities(logits, batch.offered)  # (B, A)
        before = log_probabilities(torch.from_numpy(self.before[batch.rows]).to(self.device), batch.offered)
        probs, chosen = log_probs.exp(), log_probs.gather(1, batch.actions[:, None])[:, 0]
        ratio = (chosen - batch.log_probs).exp()
        return Losses(
            policy=-(ratio * batch.advantages).mean(),  # neither clipped nor divided by its deviation
            value=(values - batch.returns).square().mean(),
            entropy=-(probs * log_probs).sum(dim=1).mean(),  # -KL(pi, uniform) but for a constant
            approx_kl=(ratio - 1 - ratio.log()).mean().detach(),
            reference_kl=(probs * (log_probs - before)).sum(dim=1).mean(),  # KL(pi, pi_t)
        )
