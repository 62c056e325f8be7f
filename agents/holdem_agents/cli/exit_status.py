"""The exit statuses of `holdem` other than 0 for success and 2 for what the user can mend."""

INTERRUPTED = 130  # of a command that Ctrl-C ended, as shells have it

FAILED = 1  # of a command that ran, and found or met what is wrong
