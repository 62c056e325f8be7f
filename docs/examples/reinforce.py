"""REINFORCE with a baseline (Williams 1992) as a learner of `holdem train`, with self-play, past selves and evaluation:

    holdem train leduc --set learner.kind=docs/examples/reinforce.py:Reinforce \\
        --set learner.epochs=1 --set learner.kl_coef=0

An action's probability is not compared with the one that it had when it was drawn, so each rollout is learnt from once.
"""

from holdem_agents.ppo import PPO, Losses, Minibatch, log_probabilities


class Reinforce(PPO):
    """Raises the log-probability of each action by what its seat won more than the network expected."""

    def losses(self, batch: Minibatch) -> Losses:
        """The parts of the loss of a minibatch, each of shape ()."""
        logits, values = self.evaluate(self.policy, batch.rows)
        log_probs = log_probabilities(logits, batch.offered)  # (B, A)
        chosen = log_probs.gather(1, batch.actions[:, None])[:, 0]
        won_more = (batch.returns - values).detach()
        return Losses(
            policy=-(won_more * chosen).mean(),
            value=(values - batch.returns).square().mean(),
            entropy=-(log_probs.exp() * log_probs).sum(dim=1).mean(),
        )
