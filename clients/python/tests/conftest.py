"""A server runs at LECTERN_URL; LECTERN_KEY and LECTERN_SEARCH_KEY are keys of its tenant acme."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flaky_proxy import FlakyProxy, serve_flaky

from lectern import Lectern

URL = os.environ["LECTERN_URL"]
CONTRACT = Path(__file__).parents[3] / "packages/file-to-markdown/test/fixtures/contract.pdf"
QUESTION = "Who pays for damage to the property?"


@pytest.fixture
def options() -> dict[str, Any]:
    """Options of a client, for a unit that is empty."""
    return {"tenant_id": "acme", "tenant_unit_id": uuid.uuid4().hex, "api_key": os.environ["LECTERN_KEY"]}


@pytest.fixture
def lectern(options: dict[str, Any]) -> Iterator[Lectern]:
    with Lectern(URL, **options) as client:
        yield client


@pytest.fixture
def proxy() -> Iterator[FlakyProxy]:
    with serve_flaky(URL) as one:
        yield one
