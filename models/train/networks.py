"""The two small networks behind the detector, in torch.

`Aligner` sees the detector's box with a margin and says where the tile's corners really are, which way it lies and
whether it is a tile at all; `FaceReader` sees the flat upright face and says number, ink and whether it is upside down.
"""

import torch
from torch import Tensor, nn

NUMBERS = 15
"""Classes of the number head: 1..13 at 0..12, the joker at 13, no readable face at 14."""
JOKER_CLASS, NO_FACE = 13, 14
INKS = 4
KINDS = 3
"""Classes of the kind head: face up, face down, no tile."""
FACE_UP, FACE_DOWN, NO_TILE = 0, 1, 2


def _block(inputs: int, outputs: int, *, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.SiLU(inplace=True)
    )


def _trunk(widths: tuple[int, ...]) -> nn.Sequential:
    """Convolutions that halve the picture at every second layer, the first among them."""
    layers, inputs = [], 3
    for i, width in enumerate(widths):
        layers.append(_block(inputs, width, stride=1 if i % 2 else 2))
        inputs = width
    return nn.Sequential(*layers)


class Aligner(nn.Module):
    """(n, 3, 80, 64) RGB in 0..1 → corners (n, 4, 2) in units of the box, turns (n, 4) and kinds (n, 3) as logits.

    Corner k is the tile's corner nearest to corner k of the box; turn t says that the tile's own top-left is corner t.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trunk = _trunk((16, 24, 48, 48, 80, 80, 128, 128))
        self.neck = nn.Sequential(nn.Flatten(), nn.Dropout(0.1), nn.Linear(128 * 5 * 4, 192), nn.SiLU(inplace=True))
        self.corners = nn.Linear(192, 8)
        self.turns = nn.Linear(192, 4)
        self.kinds = nn.Linear(192, KINDS)
        self.register_buffer("box", torch.tensor([[0.0, 0], [1, 0], [1, 1], [0, 1]]))
        nn.init.zeros_(self.corners.weight)
        nn.init.zeros_(self.corners.bias)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Give corners, turns, kinds."""
        neck = self.neck(self.trunk(x * 2 - 1))
        return self.corners(neck).view(-1, 4, 2) * 0.2 + self.box, self.turns(neck), self.kinds(neck)


class FaceReader(nn.Module):
    """(n, 3, 80, 64) RGB divided by the tile's own white → numbers (n, 15), inks (n, 4), upright (n, 1), all logits."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = _trunk((24, 32, 64, 64, 96, 128))
        self.neck = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(128 * 10 * 8, 224), nn.SiLU(inplace=True))
        self.numbers = nn.Linear(224, NUMBERS)
        self.inks = nn.Linear(224, INKS)
        self.upright = nn.Linear(224, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Give numbers, inks, upright."""
        neck = self.neck(self.trunk(x * 2 - 1))
        return self.numbers(neck), self.inks(neck), self.upright(neck)
