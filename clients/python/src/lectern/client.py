"""The synchronous client."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

from .http_clients import RetryingClient, http_options
from .requests import Content, Scope, Wait, id_of, present
from .rest import Client
from .rest.api.document_chunks import chunks_search
from .rest.api.documents import documents_get, documents_upload
from .rest.models import Document, DocumentChunkSearchHit, DocumentChunkSearchLanguage, DocumentType
from .retry import Retry


class Lectern:
    """A client of the server at ``url``, for one unit of a tenant.

    ``rest`` is for all functions in ``lectern.rest.api``; they raise and retry as the methods do.
    """

    def __init__(
        self,
        url: str,
        *,
        tenant_id: str,
        tenant_unit_id: str,
        api_key: str | None = None,
        user_id: str | None = None,
        timeout: float = 60.0,
        retry: Retry = Retry(),
    ) -> None:
        self._scope = Scope(tenant_id, tenant_unit_id)
        self._http = RetryingClient(**http_options(url, api_key, user_id, timeout), retry=retry)
        self.rest = Client(base_url=url).set_httpx_client(self._http)

    def upload(
        self,
        content: Content,
        *,
        dataset_ids: Sequence[str],
        file_name: str | None = None,
        document_type: DocumentType = "UnstructuredFile",
        category: str | None = None,
        custom_properties: Mapping[str, Any] | None = None,
    ) -> Document:
        """Creates a document from a file, which the server then processes in the background."""
        with self._scope.upload(
            content,
            dataset_ids=dataset_ids,
            file_name=file_name,
            document_type=document_type,
            category=category,
            custom_properties=custom_properties,
        ) as body:
            return present(documents_upload.sync(client=self.rest, body=body))

    def wait_until_ready(self, document: Document | str, *, timeout: float = 300.0) -> Document:
        """Waits until searches find a document. Raises ``DocumentFailedError`` or ``WaitTimeoutError``."""
        wait = Wait(timeout)
        while True:
            found = documents_get.sync(id_of(document), client=self.rest, tenant_id=self._scope.tenant_id)
            pause = wait.pause_after(present(found))
            if pause is None:
                return present(found)
            time.sleep(pause)

    def search(
        self,
        query: str,
        *,
        dataset_ids: Sequence[str],
        top_k: int = 5,
        language: DocumentChunkSearchLanguage = "english",
    ) -> list[DocumentChunkSearchHit]:
        """Finds the chunks that answer a question, the best first."""
        body = self._scope.search(query, dataset_ids=dataset_ids, top_k=top_k, language=language)
        return present(chunks_search.sync(client=self.rest, body=body, tenant_id=self._scope.tenant_id))

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Lectern:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
