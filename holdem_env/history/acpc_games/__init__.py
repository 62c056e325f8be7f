"""Game definitions of the competition, by which `holdem_env.protocols.acpc` deals."""
