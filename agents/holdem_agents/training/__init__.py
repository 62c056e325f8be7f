"""What runs train: one learner by PPO in self-play, leagues, blueprints, networks of values; and how it is measured.
`holdem_agents.runs` trains them in folders."""
