"""How many hands each estimator needs for ±5 bb/100 at 95 %, in matches of agents that tell their probabilities."""

from __future__ import annotations

from holdem_env import Rules
from holdem_env.arena import Aivat, AllInValue, estimates, one_against_all, play_deals
from holdem_env.players import make_agent

MATCHES = (("tight_aggressive", "calling_station"), ("tight_aggressive", "maniac"), ("maniac", "random"))
DEALS, LEARNT_FROM, SEED = 4_000, 2_000, 1


def main() -> None:
    rules = Rules.preset("heads-up-no-limit")
    for names in MATCHES:
        agents = [make_agent(name) for name in names]
        columns = [AllInValue(), Aivat.learned(rules, agents, deals=LEARNT_FROM)]
        deals = play_deals(rules, agents, one_against_all(2), range(DEALS), SEED, columns)
        print(f"{' against '.join(names)}, {DEALS:,} deals from both seats")
        for estimate in estimates(deals):
            mean, half = estimate.bb100
            print(
                f"  {estimate.name:20} {mean:+8.1f} ± {half:5.1f} bb/100   {estimate.hands_for(5):12,.0f} hands for ±5"
            )
