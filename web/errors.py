"""What the command line answers with exit code 2."""


class InputError(ValueError):
    """Something that a person gave and that cannot be; the message quotes it and says what to do."""
