from __future__ import annotations

import asyncio
from typing import Any

import pytest
from conftest import CONTRACT, QUESTION, URL
from langchain_core.documents import Document

from lectern import AsyncLectern, Lectern
from lectern.langchain import LecternRetriever


def test_the_retriever(lectern: Lectern, options: dict[str, Any]) -> None:
    lectern.wait_until_ready(lectern.upload(CONTRACT, dataset_ids=["contracts"]))
    hits = lectern.search(QUESTION, dataset_ids=["contracts"], top_k=2)
    retriever = LecternRetriever(client=lectern, dataset_ids=["contracts"], top_k=2)
    documents = retriever.invoke(QUESTION)
    assert [(one.id, one.page_content) for one in documents] == [(hit.id, hit.content) for hit in hits]
    for document, hit in zip(documents, hits, strict=True):
        assert {**document.metadata, "content": document.page_content} == hit.to_dict()
        assert (document.metadata["document_name"], document.metadata["score"]) == ("contract.pdf", hit.score)
    assert asyncio.run(retriever.ainvoke(QUESTION)) == documents

    async def ask() -> list[Document]:
        async with AsyncLectern(URL, **options) as client:
            return await LecternRetriever(
                async_client=client, dataset_ids=["contracts"], top_k=2
            ).ainvoke(QUESTION)

    assert asyncio.run(ask()) == documents


def test_a_retriever_without_a_client_for_the_call(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="needs client"):
        LecternRetriever(dataset_ids=["contracts"]).invoke(QUESTION)
