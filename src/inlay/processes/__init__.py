"""Everything that runs another program; none may run for ever or see more of our environment than it needs."""
