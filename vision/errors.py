"""What can go wrong in the world that the camera looks at; importing this loads nothing else."""


class CameraError(RuntimeError):
    """A camera, video, folder or stream that gives no picture; the message names the source and what to do."""


class ModelError(RuntimeError):
    """Weights that are missing, corrupt or of another kind; the message names the file and what to do."""
