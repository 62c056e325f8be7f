"""How much an agent can be made to lose: exactly in small games, from below in hold'em."""
