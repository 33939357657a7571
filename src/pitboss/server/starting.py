"""Starting quickly: what nobody asks of a server at its start is done when somebody does."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import BaseModel, ConfigDict

__all__ = ["load_web", "settled", "without_collecting"]


def load_web() -> None:
    """Load FastAPI; its models of OpenAPI documents are built when the first document is asked for."""
    before = BaseModel.model_config
    BaseModel.model_config = ConfigDict(defer_build=True)
    try:
        import fastapi.openapi.models  # noqa: F401, PLC0415
    finally:
        BaseModel.model_config = before


@contextmanager
def without_collecting() -> Iterator[None]:
    """Look for no garbage while everything is made that stays: there is next to none, and looking takes a tenth."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def settled() -> None:
    """Look for garbage from now on, and never again through what a server has made at its start."""
    gc.freeze()
    gc.enable()
