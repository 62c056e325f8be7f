"""The environments: PettingZoo (AEC), Gymnasium (one table or a batch) and Stable-Baselines3 (VecEnv)."""
