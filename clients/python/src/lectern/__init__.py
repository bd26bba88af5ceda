"""Client of Lectern: upload a document, wait for it, search. ``lectern.rest`` has the whole REST API, generated."""

from .async_client import AsyncLectern
from .client import Lectern
from .errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    DocumentFailedError,
    InvalidRequestError,
    LecternError,
    NotFoundError,
    PermissionDeniedError,
    PreconditionFailedError,
    RateLimitError,
    TooLargeError,
    UnavailableError,
    WaitTimeoutError,
)
from .retry import Retry

__all__ = [
    "ApiError",
    "AsyncLectern",
    "AuthenticationError",
    "ConflictError",
    "DocumentFailedError",
    "InvalidRequestError",
    "Lectern",
    "LecternError",
    "NotFoundError",
    "PermissionDeniedError",
    "PreconditionFailedError",
    "RateLimitError",
    "Retry",
    "TooLargeError",
    "UnavailableError",
    "WaitTimeoutError",
]
