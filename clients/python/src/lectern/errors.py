"""What the package raises. A connection that fails or is too slow raises ``httpx.TransportError``."""

from __future__ import annotations

import httpx

from .rest.models import Document, ErrorDetail, HTTPValidationError


class LecternError(Exception):
    """Any error of Lectern."""


class ApiError(LecternError):
    """The server refused a request. ``detail`` says why, and ``request_id`` finds the request in its log."""

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        self.detail = _read_detail(response)
        self.request_id: str | None = response.headers.get("X-Request-Id")
        self.retry_after: str | None = response.headers.get("Retry-After")
        reasons = [one.msg for one in self.detail] or [response.reason_phrase]
        super().__init__(f"{self.status}: {' '.join(reasons)}")


class AuthenticationError(ApiError):
    """401: the API key is missing or not valid."""


class PermissionDeniedError(ApiError):
    """403: the API key lacks the permission, or has no access to what the request names."""


class NotFoundError(ApiError):
    """404: the record does not exist, or the API key cannot read it."""


class ConflictError(ApiError):
    """409: the id is taken, a quota is reached, or a request with the same ``Idempotency-Key`` is still running."""


class PreconditionFailedError(ApiError):
    """412: the record is no longer the version that ``If-Match`` names."""


class TooLargeError(ApiError):
    """413: the body is larger than allowed."""


class InvalidRequestError(ApiError):
    """422: a value is not valid; ``loc`` in ``detail`` says where."""


class RateLimitError(ApiError):
    """429, after all attempts: too many requests."""


class UnavailableError(ApiError):
    """503, after all attempts: a part of the service is unavailable."""


class DocumentFailedError(LecternError):
    """The document could not be processed. The console says why."""

    def __init__(self, document: Document) -> None:
        self.document = document
        super().__init__(f"Document {document.id} could not be processed.")


class WaitTimeoutError(LecternError, TimeoutError):
    """The document was not ready in time; it may become ready later."""

    def __init__(self, document: Document) -> None:
        self.document = document
        super().__init__(f"Document {document.id} was not ready in time. Its status is {document.status}.")


_BY_STATUS: dict[int, type[ApiError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    413: TooLargeError,
    422: InvalidRequestError,
    429: RateLimitError,
    503: UnavailableError,
}


def error_of(response: httpx.Response) -> ApiError:
    """The error of a response that is not successful."""
    return _BY_STATUS.get(response.status_code, ApiError)(response)


def _read_detail(response: httpx.Response) -> list[ErrorDetail]:
    try:
        return HTTPValidationError.from_dict(response.json()).detail
    except (AttributeError, KeyError, TypeError, ValueError):
        return []  # A proxy answered.
