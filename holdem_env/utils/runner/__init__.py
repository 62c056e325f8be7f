"""Independent tasks, several at a time: in this process, in processes of this machine, or on a Ray cluster.

    with Runner(jobs=2) as runner:                        # or Runner(ray="auto")
        for outcome in runner.run(play, range(10)):       # in the order in which they end
            print(outcome.task, outcome.result())

`processes` (loky) and `ray_cluster` start the workers, `scheduling` gives them the tasks.
"""

from .outcomes import LATER, Interrupted, Interruptible, Outcome, WorkerLost, in_order
from .scheduling import Runner, number_of_workers

__all__ = ["LATER", "Interrupted", "Interruptible", "Outcome", "Runner", "WorkerLost", "in_order", "number_of_workers"]
