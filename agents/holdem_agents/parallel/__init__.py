"""Training on several processes and several machines.

`workers` are objects that live in other places: in this process (`here`), in processes (`processes`), or on a Ray
cluster (`ray_workers`). `runner` runs independent tasks in them.
"""
