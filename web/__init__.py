"""The tablet, the command line, and the one place where all is wired."""
