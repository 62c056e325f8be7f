"""The league: learners with different encoders, actions and networks train against each other and each other's past.

A population trains against snapshots of all its members, as in policy-space response oracles (Lanctot et al. 2017) and
AlphaStar's league (Vinyals et al. 2019). Here all members are main agents, and snapshots are drawn by what the learner
loses to them (`PastSelves.choice`). After every round, matches rate the learners and the kept snapshots.
"""
