"""What the synchronous and the asynchronous client have in common: the bodies of requests, and the wait for a document."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from .errors import DocumentFailedError, WaitTimeoutError
from .rest.models import Document, DocumentChunkSearch, DocumentChunkSearchLanguage, DocumentType, DocumentUpload
from .rest.types import UNSET, File

#: A path, the bytes themselves, or a file that is open for reading bytes.
Content = str | os.PathLike[str] | bytes | BinaryIO
T = TypeVar("T")


@dataclass(frozen=True)
class Scope:
    """The tenant and the unit that requests name."""

    tenant_id: str
    tenant_unit_id: str

    @contextmanager
    def upload(
        self,
        content: Content,
        *,
        dataset_ids: Sequence[str],
        file_name: str | None,
        document_type: DocumentType,
        category: str | None,
        custom_properties: Mapping[str, Any] | None,
    ) -> Iterator[DocumentUpload]:
        """The body of an upload. A file that a path names is open until the end of the context."""
        with _open(content) as file:
            yield DocumentUpload(
                document_type=document_type,
                dataset_ids=list(dataset_ids),
                tenant_id=self.tenant_id,
                tenant_unit_id=self.tenant_unit_id,
                file=File(file, file_name or _name_of(content) or "file"),
                category=UNSET if category is None else category,
                custom_properties=UNSET if custom_properties is None else json.dumps(custom_properties),
            )

    def search(
        self, query: str, *, dataset_ids: Sequence[str], top_k: int, language: DocumentChunkSearchLanguage
    ) -> DocumentChunkSearch:
        """The body of a search."""
        return DocumentChunkSearch(
            tenant_id=self.tenant_id,
            tenant_unit_id=self.tenant_unit_id,
            dataset_ids=list(dataset_ids),
            query=query,
            top_k=top_k,
            language=language,
        )


class Wait:
    """Decides after each look at a document whether to look again."""

    def __init__(self, timeout: float) -> None:
        self._end = time.monotonic() + timeout
        self._pause = 0.1

    def pause_after(self, document: Document) -> float | None:
        """The pause before the next look, or None if the document is ready. Raises if it never will be."""
        if document.status == "ready":
            return None
        if document.status == "failed":
            raise DocumentFailedError(document)
        left = self._end - time.monotonic()
        if left <= 0:
            raise WaitTimeoutError(document)
        self._pause = min(self._pause * 1.5, 2.0)
        return min(self._pause, left)


def id_of(document: Document | str) -> str:
    """The id of a document that the server has answered."""
    return document if isinstance(document, str) else present(document.id or None)


def present(value: T | None) -> T:
    """A value that every successful answer has."""
    if value is None:
        raise TypeError("The answer lacks what the API promises.")
    return value


def _name_of(content: Content) -> str:
    name = content if isinstance(content, str | os.PathLike) else getattr(content, "name", None)
    return Path(name).name if isinstance(name, str | os.PathLike) else ""


@contextmanager
def _open(content: Content) -> Iterator[BinaryIO]:
    if isinstance(content, bytes):
        yield BytesIO(content)
    elif isinstance(content, str | os.PathLike):
        with Path(content).open("rb") as file:
            yield file
    elif content.seekable():
        yield content
    else:
        yield BytesIO(content.read())  # A request that is sent again needs it again.
