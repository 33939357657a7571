"""Make the tile of the felt, a small picture of our own: `python tools/felt.py` writes the same bytes each time.

A grain of light and dark specks, almost clear, breaks the bands of a dark gradient; drawing it costs a copy.
"""

import random
import struct
import zlib
from pathlib import Path

SIDE, ALPHA_MAX = 96, 10
OUT = Path(__file__).parents[1] / "src/pitboss/server/static/felt.png"


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def tile() -> bytes:
    """Return the tile as a PNG of grey and alpha."""
    source = random.Random(7)  # noqa: S311 - a pattern
    rows = bytearray()
    for _ in range(SIDE):
        rows.append(0)
        for _ in range(SIDE):
            rows += bytes((source.choice((0, 255)), source.randrange(ALPHA_MAX)))
    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 4, 0, 0, 0)
    body = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


if __name__ == "__main__":
    OUT.write_bytes(tile())
