"""What can be wrong with what is asked of the simulator."""


class PlanError(ValueError):
    """A game that cannot be simulated; the message says why."""
