"""What can go wrong in the world that the camera looks at; importing this loads nothing else."""


class CameraError(RuntimeError):
    """A camera, video, folder or stream that gives no picture; the message names the source and what to do."""


class ModelError(RuntimeError):
    """Weights that are missing, corrupt or of another kind; the message names the file and what to do."""


class PictureError(ValueError):
    """A file that is no picture: `code` is `no_such_file` or `not_a_picture`; the message names it and what to do."""

    def __init__(self, code: str, path: object, remedy: str) -> None:
        """Say which file it is and what to do."""
        super().__init__(f"{path}: {remedy}")
        self.code = code


class TileSetError(ValueError):
    """A taught set that cannot be: a name, an ink's name, a file; the message quotes it and says what to do."""
