"""Playing: agents at thousands of tables at once, deals and whole sessions, who sits where."""
