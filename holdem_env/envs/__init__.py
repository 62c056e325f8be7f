"""The environments: faces of the engine for PettingZoo, Gymnasium and Stable-Baselines3."""
