"""What results come to: deals and their values, intervals, estimates."""
