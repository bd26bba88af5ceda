from __future__ import annotations

import asyncio
import os
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any

import httpx
import pytest
from conftest import URL
from flaky_proxy import FlakyProxy

from lectern import ApiError, AsyncLectern, Lectern, RateLimitError, Retry, UnavailableError
from lectern.rest.api.documents import documents_list

FAST = Retry(pause=0.01)


@pytest.mark.parametrize("fault", [429, 502, 503, 504, "lost"])
def test_faults_that_pass(options: dict[str, Any], proxy: FlakyProxy, fault: int | str) -> None:
    proxy.faults = [fault, fault]
    with Lectern(proxy.url, **options, retry=FAST) as lectern:
        uploaded = lectern.upload(b"A refund takes five days.", dataset_ids=["help"], file_name="refunds.txt")
    assert len(proxy.keys) == 3
    assert len(set(proxy.keys)) == 1 and proxy.keys[0]
    check_added_once(options, uploaded.id)


def test_the_same_with_asyncio(options: dict[str, Any], proxy: FlakyProxy) -> None:
    async def call() -> object:
        async with AsyncLectern(proxy.url, **options, retry=FAST) as lectern:
            return (await lectern.upload(b"A refund.", dataset_ids=["help"], file_name="refunds.txt")).id

    proxy.faults = ["lost", 503]
    check_added_once(options, asyncio.run(call()))
    assert len(proxy.keys) == 3


def test_content_that_can_be_read_only_once(options: dict[str, Any], proxy: FlakyProxy) -> None:
    reading, writing = os.pipe()
    with open(writing, "wb") as file:
        file.write(b"A refund takes five days.")
    proxy.faults = [503]
    with open(reading, "rb") as content, Lectern(proxy.url, **options, retry=FAST) as lectern:
        document = lectern.wait_until_ready(lectern.upload(content, dataset_ids=["help"]))
        [hit] = lectern.search("How long does a refund take?", dataset_ids=["help"])
    assert (hit.content, document.document_name) == ("A refund takes five days.", "file")


def check_added_once(options: dict[str, Any], document_id: object) -> None:
    with Lectern(URL, **options) as lectern:
        page = documents_list.sync(
            client=lectern.rest, tenant_id="acme", tenant_unit_id=options["tenant_unit_id"]
        )
    assert page and [one.id for one in page.data] == [document_id]


@pytest.mark.parametrize(("status", "expected"), [(503, UnavailableError), (429, RateLimitError), (502, ApiError)])
def test_a_fault_that_stays(
    options: dict[str, Any], proxy: FlakyProxy, status: int, expected: type[ApiError]
) -> None:
    proxy.faults = [status] * 9
    with Lectern(proxy.url, **options, retry=Retry(attempts=3, pause=0.01)) as lectern:
        with pytest.raises(expected) as raised:
            lectern.search("refunds", dataset_ids=["help"])
    assert (raised.value.status, raised.value.detail, raised.value.retry_after) == (status, [], "0")
    assert len(proxy.keys) == 3


def test_a_retry_after_that_is_too_long(options: dict[str, Any], proxy: FlakyProxy) -> None:
    proxy.faults, proxy.retry_after = [503] * 9, "31"
    with Lectern(proxy.url, **options) as lectern, pytest.raises(UnavailableError) as raised:
        lectern.search("refunds", dataset_ids=["help"])
    assert (raised.value.retry_after, len(proxy.keys)) == ("31", 1)


def test_pauses() -> None:
    def pause(retry_after: str, made: int = 1, status: int = 503) -> float | None:
        return Retry().pause_after(httpx.Response(status, headers={"Retry-After": retry_after}), made)

    later = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=20), usegmt=True)
    assert 7 <= (pause("7") or 0) <= 7.4
    assert 7 <= (pause("7", made=4) or 0) <= 7 + 0.4 * 8
    assert 10 <= (pause(later) or 0) <= 20.4
    for value in ("", "soon", "-1", "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:28:00"):
        assert 0 <= (pause(value) or 0) <= 0.4
    assert pause("31") is None
    assert pause("0", made=5) is None
    assert [pause("0", status=status) for status in (200, 404, 409, 500)] == [None] * 4
