"""Nets are loaded by name and only with the hash the manifest gives."""

import tomllib
from pathlib import Path

import pytest

from vision.errors import VisionError
from vision.onnx_model import BadModel, load


def write(folder: Path, manifest: str, content: bytes | None = None) -> Path:
    (folder / "manifest.toml").write_text(manifest, encoding="utf-8")
    if content is not None:
        (folder / "net.onnx").write_bytes(content)
    return folder


def sentence(name: str, folder: Path) -> str:
    with pytest.raises(BadModel) as caught:
        load(name, folder=folder)
    assert isinstance(caught.value, VisionError)
    return str(caught.value)


def test_a_model_file_with_a_wrong_hash_is_refused_with_both_hashes(tmp_path: Path) -> None:
    folder = write(tmp_path, f'[net]\nfile = "net.onnx"\nsha256 = "{"0" * 64}"\n', b"tampered")
    said = sentence("net", folder)
    assert "net.onnx" in said
    assert "000000000000" in said
    assert said.endswith(".")


def test_a_missing_model_file_is_named(tmp_path: Path) -> None:
    assert "net.onnx" in sentence("net", write(tmp_path, '[net]\nfile = "net.onnx"\nsha256 = "0"\n'))


def test_a_model_the_manifest_does_not_know_is_named(tmp_path: Path) -> None:
    assert "called net" in sentence("net", write(tmp_path, '[other]\nfile = "x"\nsha256 = "0"\n'))


@pytest.mark.parametrize("manifest", ["", "net = 3\n", "not toml at all ["])
def test_a_damaged_manifest_is_a_sentence(tmp_path: Path, manifest: str) -> None:
    assert "manifest.toml" in sentence("net", write(tmp_path, manifest))


def test_no_manifest_is_a_sentence(tmp_path: Path) -> None:
    assert "manifest.toml" in sentence("net", tmp_path)


def test_every_model_that_ships_is_the_one_in_the_manifest() -> None:
    models = Path(__file__).parents[2] / "models"
    shipped = tomllib.loads((models / "manifest.toml").read_text(encoding="utf-8"))
    assert {about["file"] for about in shipped.values()} == {path.name for path in models.glob("*.onnx")}
    for name, about in shipped.items():
        assert load(name).about["file"] == about["file"]
