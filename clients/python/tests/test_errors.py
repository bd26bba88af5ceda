from __future__ import annotations

import asyncio
import os
import socket
from typing import Any

import httpx
import pytest
from conftest import CONTRACT, URL

from lectern import (
    ApiError,
    AsyncLectern,
    AuthenticationError,
    InvalidRequestError,
    Lectern,
    NotFoundError,
    PermissionDeniedError,
    Retry,
)
from lectern.rest.api.documents import documents_get

MISSING = {"type": "not_found", "loc": ["path", "documentId"], "msg": "Document not found."}


def test_a_document_that_does_not_exist(lectern: Lectern) -> None:
    with pytest.raises(NotFoundError, match="^404: Document not found.$") as raised:
        lectern.wait_until_ready("absent")
    assert raised.value.status == 404
    assert [one.to_dict() for one in raised.value.detail] == [MISSING]
    assert raised.value.request_id and raised.value.retry_after is None


def test_the_same_from_generated_functions(lectern: Lectern) -> None:
    with pytest.raises(NotFoundError):
        documents_get.sync_detailed("absent", client=lectern.rest, tenant_id="acme")


def test_the_same_with_asyncio(options: dict[str, Any]) -> None:
    async def call() -> None:
        async with AsyncLectern(URL, **options) as lectern:
            await lectern.wait_until_ready("absent")

    with pytest.raises(NotFoundError, match="^404: Document not found.$"):
        asyncio.run(call())


def test_values_that_are_not_valid(lectern: Lectern) -> None:
    with pytest.raises(InvalidRequestError) as raised:
        lectern.search("refunds", dataset_ids=["help"], top_k=0)
    assert [one.loc for one in raised.value.detail] == [["body", "top_k"]]


@pytest.mark.parametrize(
    ("key", "expected"),
    [("wrong", AuthenticationError), (None, AuthenticationError), ("LECTERN_SEARCH_KEY", PermissionDeniedError)],
)
def test_keys_that_must_not_upload(options: dict[str, Any], key: str | None, expected: type[ApiError]) -> None:
    options["api_key"] = os.environ.get(key, key) if key else None
    with Lectern(URL, **options) as lectern, pytest.raises(expected) as raised:
        lectern.upload(CONTRACT, dataset_ids=["contracts"])
    assert len(raised.value.detail) == 1


def test_a_server_that_does_not_answer(options: dict[str, Any]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with Lectern(address, **options, timeout=0.2) as lectern, pytest.raises(httpx.ReadTimeout):
            lectern.search("refunds", dataset_ids=["help"])
    with Lectern(address, **options, retry=Retry(pause=0.01)) as lectern, pytest.raises(httpx.ConnectError):
        lectern.search("refunds", dataset_ids=["help"])
