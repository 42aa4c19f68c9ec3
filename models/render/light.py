"""Light on the table and the camera's own doing: shadows, glare, lamps, blur, noise. Pictures are BGR."""

from dataclasses import dataclass
from functools import cache, cached_property

import cv2
import numpy as np

from models.render.inks import Bgr

KNEE = 0.8
COARSE = 8
"""Light changes slowly: its fields are made at an eighth of the picture."""


@dataclass(frozen=True)
class Spot:
    """A soft-edged ellipse in the picture, in shares of its width: for shadows and glares."""

    x: float
    y: float
    radius: float
    stretch: float
    angle: float
    softness: float
    strength: float


@dataclass(frozen=True)
class Light:
    """The light of a scene.

    `azimuth`, `elevation`: where it comes from, radians in the world. `relief`: how strongly slopes show; `shadow`: how
    dark the tiles' shadows are; `blur`: their softness in tile widths. `gains`: its colour; `falloff`: how much darker
    one side of the picture is, towards `falloff_angle`; `vignette`: the same for the corners. `sheen`: how far ink
    mirrors the window (0 to 1), with `sheen_colour`.
    """

    azimuth: float = 0.8
    elevation: float = 0.9
    relief: float = 0.6
    shadow: float = 0.4
    blur: float = 0.15
    gains: Bgr = (1.0, 1.0, 1.0)
    falloff: float = 0.0
    falloff_angle: float = 0.0
    vignette: float = 0.0
    shadows: tuple[Spot, ...] = ()
    glares: tuple[Spot, ...] = ()
    glare_colour: Bgr = (1.0, 1.0, 1.0)
    sheen: float = 0.0
    sheen_colour: Bgr = (0.45, 0.55, 0.6)

    @cached_property
    def towards(self) -> np.ndarray:
        """The unit vector from the table to the light."""
        flat = np.cos(self.elevation)
        return np.array([flat * np.cos(self.azimuth), flat * np.sin(self.azimuth), np.sin(self.elevation)])


@dataclass(frozen=True)
class Sensor:
    """What the camera does to the picture: lengths in pixels, `noise` in grey levels of 255."""

    exposure: float = 1.0
    gamma: float = 1.0
    contrast: float = 0.0
    saturation: float = 1.0
    focus_px: float = 0.0
    motion_px: float = 0.0
    motion_angle: float = 0.0
    noise: float = 0.0
    coarse_noise: float = 0.0
    sharpen: float = 0.0
    jpeg: int = 0


def _coarse_grid(size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    w, h = (-(-length // COARSE) for length in size)
    x = (np.arange(w, dtype=np.float32) + 0.5) / w
    y = (np.arange(h, dtype=np.float32) + 0.5) / h * size[1] / size[0]
    return x[None], y[:, None]


def _spots(spots: tuple[Spot, ...], size: tuple[int, int]) -> np.ndarray:
    """Add soft ellipses up, 0 outside them."""
    x, y = _coarse_grid(size)
    out = np.zeros((y.shape[0], x.shape[1]), np.float32)
    for spot in spots:
        c, s = np.cos(spot.angle), np.sin(spot.angle)
        dx, dy = x - spot.x, y - spot.y
        r = np.hypot((c * dx + s * dy) / spot.stretch, -s * dx + c * dy) / spot.radius
        edge = np.clip((1 - r) / max(spot.softness, 0.02) + 0.5, 0, 1)
        out += spot.strength * edge * edge * (3 - 2 * edge)
    return out


def illumination(light: Light, size: tuple[int, int]) -> np.ndarray:
    """Give the light's strength over the picture, coarse (h, w, 3)."""
    x, y = _coarse_grid(size)
    cx, cy = x - 0.5, y - size[1] / size[0] / 2
    field = 1 + light.falloff * (cx * np.cos(light.falloff_angle) + cy * np.sin(light.falloff_angle))
    field = field * (1 - light.vignette * (cx**2 + cy**2) * 2)
    field = field * np.clip(1 - _spots(light.shadows, size), 0.05, 1)
    return np.asarray(np.maximum(field, 0.02)[..., None] * np.array(light.gains, np.float32))


def glare(light: Light, size: tuple[int, int]) -> np.ndarray:
    """Give the light that mirrors off the table into the lens, coarse (h, w, 3)."""
    return _spots(light.glares, size)[..., None] * np.array(light.glare_colour, np.float32)


def glare_at(light: Light, at: np.ndarray) -> np.ndarray:
    """Give how strongly the table mirrors the window at points (n, 2), in shares of the picture's width."""
    out = np.zeros(len(at))
    for spot in light.glares:
        r = np.hypot(*(at - (spot.x, spot.y)).T) / (spot.radius * max(spot.stretch, 1))
        out += spot.strength * np.clip(1.5 - r, 0, 1)
    return out


def lit(picture: np.ndarray, light: Light, exposure: float) -> np.ndarray:
    """Let light fall on an evenly lit picture (uint8); gives float32 from 0 to 255.

    Works on squares of the values, which are near enough to linear light, with a soft shoulder for what is too bright.
    """
    size = (picture.shape[1], picture.shape[0])
    gain = _finer(illumination(light, size) * (exposure / 255**2), size)
    linear = cv2.multiply(cv2.multiply(picture, picture, dtype=cv2.CV_32F), gain)
    if light.glares:
        linear = cv2.add(linear, _finer(glare(light, size), size))
    over = cv2.max(cv2.subtract(linear, _all(KNEE)), np.zeros(1))
    shoulder = cv2.divide(over, cv2.add(over, _all(1 - KNEE)), scale=1 - KNEE)
    return np.asarray(cv2.multiply(cv2.sqrt(cv2.add(cv2.subtract(linear, over), shoulder)), _all(255)))


def _all(value: float) -> np.ndarray:
    """Give a value for every channel, as OpenCV wants it."""
    return np.array([value, value, value, 0.0])


def _finer(field: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    return cv2.resize(field.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)


def _motion(picture: np.ndarray, length: float, angle: float) -> np.ndarray:
    side = int(np.ceil(length)) | 1
    kernel = np.zeros((side, side), np.float32)
    arm = np.array([np.cos(angle), np.sin(angle)]) * (length - 1) / 2
    ends = [np.round((side // 2 + sign * arm) * 16).astype(int).tolist() for sign in (-1, 1)]
    cv2.line(kernel, tuple(ends[0]), tuple(ends[1]), 1.0, 1, cv2.LINE_AA, 4)
    return cv2.filter2D(picture, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT)


def tone(sensor: Sensor) -> np.ndarray:
    """Give what the camera makes of each value from 0 to 255."""
    x = np.arange(256) / 255
    y = x**sensor.gamma
    y = y + sensor.contrast * (y - 0.5) * 4 * y * (1 - y)
    return np.clip(y * 255, 0, 255).astype(np.uint8)


def sensed(picture: np.ndarray, sensor: Sensor, rng: np.random.Generator) -> np.ndarray:
    """Take a lit picture (float32, 0 to 255) with a real camera; gives uint8."""
    if sensor.motion_px > 1.5:
        picture = _motion(picture, sensor.motion_px, sensor.motion_angle)
    if sensor.focus_px > 0.15:
        picture = cv2.GaussianBlur(picture, (0, 0), sensor.focus_px)
    if sensor.saturation != 1.0:
        grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        picture = cv2.addWeighted(picture, sensor.saturation, grey, 1 - sensor.saturation, 0)
    picture = _noisy(picture, sensor, rng)
    if sensor.sharpen > 0.05:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = cv2.addWeighted(picture, 1 + sensor.sharpen, soft, -sensor.sharpen, 0)
    out = cv2.LUT(cv2.convertScaleAbs(cv2.max(picture, np.zeros(1))), tone(sensor))
    return _through_jpeg(out, sensor.jpeg) if sensor.jpeg else out


@cache
def _noise_bank() -> np.ndarray:
    return np.random.default_rng(2024).standard_normal(1 << 22, np.float32)


def _noise(shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Give normal noise out of a bank: drawing a million numbers anew for each picture takes longer than drawing it."""
    bank, needed = _noise_bank(), int(np.prod(shape))
    if needed > len(bank) // 2:
        bank = np.tile(bank, 2 * needed // len(bank) + 1)
    start = int(rng.integers(len(bank) - needed))
    return bank[start : start + needed].reshape(shape)


def _noisy(picture: np.ndarray, sensor: Sensor, rng: np.random.Generator) -> np.ndarray:
    h, w = picture.shape[:2]
    if sensor.noise > 0.3:
        picture = cv2.scaleAdd(_noise(picture.shape, rng), sensor.noise, picture)
    if sensor.coarse_noise > 0.3:
        small = _noise((h // 3 + 1, w // 3 + 1, 3), rng)
        picture = cv2.scaleAdd(cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR), sensor.coarse_noise, picture)
    return picture


def _through_jpeg(picture: np.ndarray, quality: int) -> np.ndarray:
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
