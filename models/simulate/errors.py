"""What can be wrong with what is asked of the simulator."""


class PlanError(ValueError):
    """A game that cannot be simulated; the message says why."""


class RecordingError(OSError):
    """A game that cannot be written down where it is asked to be."""
