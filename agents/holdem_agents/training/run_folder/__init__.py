"""What lies in a run folder: names of files, the configuration, logs, checkpoints, results. Nothing here trains."""
