"""The trained net as one ONNX file: python -m models.training.finder.export finder.pt finder.onnx."""

import argparse
from pathlib import Path

import torch

from models.training.finder.net import FinderNet


def export(net: torch.nn.Module, path: Path) -> None:
    """Write the net for pictures of any size whose sides are multiples of 32."""
    net.eval()
    sides = {1: "height", 2: "width"}
    torch.onnx.export(
        net,
        (torch.zeros(1, 384, 640, 3, dtype=torch.uint8),),
        str(path),
        input_names=["picture"],
        output_names=["maps"],
        dynamic_axes={"picture": sides, "maps": {2: "height_by_4", 3: "width_by_4"}},
        opset_version=17,
        dynamo=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("onnx", type=Path)
    given = parser.parse_args()
    state = torch.load(given.checkpoint, weights_only=True)["averaged"]
    net = FinderNet()
    net.load_state_dict({k.removeprefix("module."): v for k, v in state.items() if k.startswith("module.")})
    export(net, given.onnx)


if __name__ == "__main__":
    main()
