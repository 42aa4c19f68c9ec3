import json

import pytest

from vision.engine import OnnxNetwork, checked_weights, sha256_of
from vision.errors import ModelError


def publish(folder, content=b"weights"):
    path = folder / "net.onnx"
    path.write_bytes(content)
    listing = {"net.onnx": {"sha256": sha256_of(path), "bytes": len(content)}}
    (folder / "weights.json").write_text(json.dumps(listing), encoding="utf-8")
    return path


def test_weights_as_published_are_given(tmp_path):
    path = publish(tmp_path)
    assert checked_weights("net.onnx", tmp_path) == path


def test_corrupt_weights_are_named_with_their_sum_and_the_remedy(tmp_path):
    publish(tmp_path).write_bytes(b"weighty")
    with pytest.raises(ModelError, match=r"net\.onnx are corrupt: SHA-256 [0-9a-f]{16}.*install rummy-referee again"):
        checked_weights("net.onnx", tmp_path)


def test_missing_weights_are_named_with_the_remedy(tmp_path):
    with pytest.raises(ModelError, match=r"weights in .* are missing.*install rummy-referee again"):
        checked_weights("net.onnx", tmp_path)


def test_a_file_that_is_no_network_is_a_model_error(tmp_path):
    with pytest.raises(ModelError, match="cannot run the weights"):
        OnnxNetwork(publish(tmp_path))
