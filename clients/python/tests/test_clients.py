from __future__ import annotations

import asyncio
from io import BytesIO
from typing import Any

import pytest
from conftest import CONTRACT, QUESTION, URL

from lectern import AsyncLectern, DocumentFailedError, Lectern, WaitTimeoutError
from lectern.rest.api.documents import documents_create
from lectern.rest.models import DocumentChunkSearchHit, NewDocument


def test_a_file_is_found_after_it_is_ready(lectern: Lectern) -> None:
    document = lectern.upload(
        CONTRACT, dataset_ids=["contracts"], category="lease", custom_properties={"year": 2024}
    )
    assert (document.status, document.document_name, document.category) == ("created", "contract.pdf", "lease")
    assert document.custom_properties and document.custom_properties.to_dict() == {"year": 2024}
    assert lectern.wait_until_ready(document).status == "ready"
    check_hits(lectern.search(QUESTION, dataset_ids=["contracts"]), document.id)
    assert len(lectern.search(QUESTION, dataset_ids=["contracts"], top_k=1)) == 1
    assert lectern.search(QUESTION, dataset_ids=["others"]) == []


def test_the_same_with_asyncio(options: dict[str, Any]) -> None:
    async def call() -> None:
        async with AsyncLectern(URL, **options) as lectern:
            document = await lectern.upload(CONTRACT, dataset_ids=["contracts"])
            ready = await lectern.wait_until_ready(document)
            check_hits(await lectern.search(QUESTION, dataset_ids=["contracts"]), ready.id)

    asyncio.run(call())


def check_hits(hits: list[DocumentChunkSearchHit], document_id: object) -> None:
    assert {hit.document_id for hit in hits} == {document_id}
    assert {hit.document_name for hit in hits} == {"contract.pdf"}
    assert "damage" in hits[0].content
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.parametrize("content", [b"A refund takes five days.", BytesIO(b"A refund takes five days.")])
def test_bytes_and_open_files(lectern: Lectern, content: Any) -> None:
    document = lectern.upload(content, dataset_ids=["help"], file_name="refunds.txt")
    lectern.wait_until_ready(lectern.wait_until_ready(document).id or "")
    [hit] = lectern.search("How long does a refund take?", dataset_ids=["help"])
    assert (hit.content, hit.document_name) == ("A refund takes five days.", "refunds.txt")


def test_chinese(lectern: Lectern) -> None:
    lectern.wait_until_ready(
        lectern.upload("退款需要五天。".encode(), dataset_ids=["帮助"], file_name="退款.txt")
    )
    [hit] = lectern.search("退款要多久？", dataset_ids=["帮助"], language="chinese")
    assert (hit.content, hit.document_name) == ("退款需要五天。", "退款.txt")


def test_a_document_that_fails(lectern: Lectern) -> None:
    document = lectern.upload(b"%PDF-1.4 broken", dataset_ids=["help"], file_name="broken.pdf")
    with pytest.raises(DocumentFailedError, match="could not be processed") as raised:
        lectern.wait_until_ready(document)
    assert (raised.value.document.id, raised.value.document.status) == (document.id, "failed")


def test_a_document_that_is_not_ready_in_time(lectern: Lectern) -> None:
    # Without content a document stays as it was created.
    created = create_empty(lectern)
    with pytest.raises(WaitTimeoutError, match="Its status is created") as raised:
        lectern.wait_until_ready(created, timeout=0.2)
    assert isinstance(raised.value, TimeoutError)
    assert raised.value.document.id == created


def create_empty(lectern: Lectern) -> str:
    body = NewDocument(
        tenant_id="acme", tenant_unit_id="empty", document_type="UnstructuredFile", document_name="empty.txt"
    )
    created = documents_create.sync(client=lectern.rest, body=body, tenant_id="acme", tenant_unit_id="empty")
    assert created and created.id
    return created.id
