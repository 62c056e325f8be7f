"""PettingZoo's classic poker under its own names, by the rules of the game: after
`from holdem_env.pettingzoo import texas_holdem_no_limit_v7`, code written for `pettingzoo.classic` works unchanged."""
