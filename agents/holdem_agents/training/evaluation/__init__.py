"""How strong a run's agent is: evaluation matches, how long they take, the report, and the model card."""
