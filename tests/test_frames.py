import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import PictureError
from vision.frames import Header, load_picture, natural_order, read_header


def gradient(width: int, height: int) -> np.ndarray:
    """A picture that is red at the left and green at the top."""
    image = np.zeros((height, width, 3), np.uint8)
    image[:, : width // 4, 2] = 255
    image[: height // 4, :, 1] = 255
    return image


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """Put an EXIF segment with this orientation before the picture."""
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    tiff = b"II*\0" + struct.pack("<IH", 8, 1) + entry + struct.pack("<I", 0)
    exif = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def jpeg(image: np.ndarray, *flags: int) -> bytes:
    return cv2.imencode(".jpg", image, list(flags))[1].tobytes()


def saved(folder: Path, data: bytes, name: str = "look.jpg") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def colour_at(image: np.ndarray, x: float, y: float) -> str:
    _, green, red = image[int(y * image.shape[0]), int(x * image.shape[1])]
    return {(True, True): "both", (True, False): "red", (False, True): "green"}.get((red > 128, green > 128), "neither")


def test_a_picture_comes_as_it_is(tmp_path: Path):
    frame = load_picture(saved(tmp_path, jpeg(gradient(320, 240))), number=3)
    assert (frame.image.shape, frame.full_size, frame.number) == ((240, 320, 3), (320, 240), 3)
    assert frame.scale == (1, 1)
    assert colour_at(frame.image, 0.1, 0.5) == "red"


@pytest.mark.parametrize(
    ("orientation", "red_at", "green_at"),
    [
        pytest.param(1, (0.1, 0.5), (0.5, 0.1), id="as it is"),
        pytest.param(3, (0.9, 0.5), (0.5, 0.9), id="half turn"),
        pytest.param(6, (0.5, 0.1), (0.9, 0.5), id="quarter to the right"),
        pytest.param(8, (0.5, 0.9), (0.1, 0.5), id="quarter to the left"),
    ],
)
def test_exif_rotation_is_applied(tmp_path: Path, orientation: int, red_at, green_at):
    frame = load_picture(saved(tmp_path, with_orientation(jpeg(gradient(320, 240)), orientation)))
    assert colour_at(frame.image, *red_at) == "red"
    assert colour_at(frame.image, *green_at) == "green"
    assert frame.full_size == ((240, 320) if orientation in (6, 8) else (320, 240))


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp"])
def test_a_large_picture_is_made_smaller_and_points_lead_back(tmp_path: Path, suffix: str):
    image = np.zeros((400, 5200, 3), np.uint8)
    image[200:240, 4000:4040] = 255
    frame = load_picture(saved(tmp_path, cv2.imencode(suffix, image)[1].tobytes(), "look" + suffix))
    assert frame.full_size == (5200, 400)
    assert 2000 <= frame.image.shape[1] <= 2500
    ys, xs = np.nonzero(frame.image[..., 0] > 128)
    assert frame.to_full([xs.mean(), ys.mean()]) == pytest.approx([4019.5, 219.5], abs=1.5)
    assert frame.from_full(frame.to_full([7.0, 9.0])) == pytest.approx([7.0, 9.0])


def test_a_large_picture_with_exif_rotation_keeps_its_turned_size(tmp_path: Path):
    frame = load_picture(saved(tmp_path, with_orientation(jpeg(gradient(5200, 400)), 6)))
    assert frame.full_size == (400, 5200)
    assert colour_at(frame.image, 0.5, 0.1) == "red"


WHOLE = jpeg(np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8))


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        pytest.param("note.jpg", b"this is no picture", "not_a_picture", id="text"),
        pytest.param("empty.jpg", b"", "not_a_picture", id="empty"),
        pytest.param("half.jpg", WHOLE[: len(WHOLE) // 2], "not_a_picture", id="cut short"),
        pytest.param(
            "thumb.jpg", WHOLE[:2] + b"\xff\xe1\0\x06\xff\xd9\0\0" + WHOLE[2:200], "not_a_picture", id="thumbnail"
        ),
        pytest.param("half.png", cv2.imencode(".png", gradient(64, 64))[1].tobytes()[:-40], "not_a_picture", id="png"),
    ],
)
def test_a_broken_picture_is_refused_and_named(tmp_path: Path, name: str, data: bytes, code: str):
    with pytest.raises(PictureError, match=name) as caught:
        load_picture(saved(tmp_path, data, name))
    assert caught.value.code == code


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path):
    with pytest.raises(PictureError, match=r"gone\.jpg: there is no such file") as caught:
        load_picture(tmp_path / "gone.jpg")
    assert caught.value.code == "no_such_file"
    with pytest.raises(PictureError, match="folder"):
        load_picture(tmp_path)


def test_a_grey_picture_comes_in_three_channels(tmp_path: Path):
    frame = load_picture(saved(tmp_path, cv2.imencode(".png", np.full((10, 20), 7, np.uint8))[1].tobytes(), "grey.png"))
    assert frame.image.shape == (10, 20, 3)


def test_headers_tell_the_size_before_decoding():
    assert read_header(jpeg(gradient(320, 240))) == Header(320, 240)
    assert read_header(jpeg(gradient(320, 240), cv2.IMWRITE_JPEG_PROGRESSIVE, 1)) == Header(320, 240)
    assert read_header(cv2.imencode(".png", gradient(32, 24))[1].tobytes()) == Header(32, 24)
    assert read_header(b"RIFF") is None


def test_names_are_ordered_as_people_do():
    names = ["look10.jpg", "look9.jpg", "Look1.jpg", "a.jpg"]
    assert [p.name for p in sorted(map(Path, names), key=natural_order)] == [
        "a.jpg",
        "Look1.jpg",
        "look9.jpg",
        "look10.jpg",
    ]
