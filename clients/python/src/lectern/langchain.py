"""A retriever for LangChain; needs ``lectern-client[langchain]``."""

from __future__ import annotations

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from .async_client import AsyncLectern
from .client import Lectern
from .rest.models import DocumentChunkSearchHit, DocumentChunkSearchLanguage


class LecternRetriever(BaseRetriever):
    """Finds chunks by ``Lectern.search``. What a hit has beside its text is in ``metadata``."""

    client: Lectern | None = None
    #: For ``ainvoke``, which without it calls ``client`` in a thread.
    async_client: AsyncLectern | None = None
    dataset_ids: list[str]
    top_k: int = 5
    language: DocumentChunkSearchLanguage = "english"

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        if self.client is None:
            raise ValueError("This call is synchronous, so the retriever needs client.")
        hits = self.client.search(query, dataset_ids=self.dataset_ids, top_k=self.top_k, language=self.language)
        return [_document(hit) for hit in hits]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        if self.async_client is None:
            return await super()._aget_relevant_documents(query, run_manager=run_manager)
        hits = await self.async_client.search(
            query, dataset_ids=self.dataset_ids, top_k=self.top_k, language=self.language
        )
        return [_document(hit) for hit in hits]


def _document(hit: DocumentChunkSearchHit) -> Document:
    metadata = hit.to_dict()
    return Document(id=hit.id, page_content=metadata.pop("content"), metadata=metadata)
