"""The rules, compiled: functions over one record per table. Imports NumPy and Numba only."""
