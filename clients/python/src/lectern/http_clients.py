"""Clients of httpx that send again what fails for a moment, and raise what the server refuses."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Any

import httpx

from .errors import error_of
from .retry import BROKEN, Retry


def http_options(url: str, api_key: str | None, user_id: str | None, timeout: float) -> dict[str, Any]:
    """The options of both clients."""
    headers = {"X-Api-Key": api_key, "X-User-Id": user_id}
    return {
        "base_url": url,
        "timeout": timeout,
        "headers": {name: value for name, value in headers.items() if value is not None},
    }


class RetryingClient(httpx.Client):
    """A client of httpx whose requests all may be repeated."""

    def __init__(self, *, retry: Retry, **options: Any) -> None:
        super().__init__(**options)
        self._retry = retry

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Sends a request, and again where it fails for a moment. Raises ``ApiError``."""
        _make_repeatable(request)
        made = 0
        while True:
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = super().send(request, **options)
            except BROKEN as error:
                outcome = error
            made += 1
            pause = self._retry.pause_after(outcome, made)
            if pause is None:
                return _successful(outcome)
            time.sleep(pause)


class AsyncRetryingClient(httpx.AsyncClient):
    """The same for asyncio."""

    def __init__(self, *, retry: Retry, **options: Any) -> None:
        super().__init__(**options)
        self._retry = retry

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Sends a request, and again where it fails for a moment. Raises ``ApiError``."""
        _make_repeatable(request)
        made = 0
        while True:
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = await super().send(request, **options)
            except BROKEN as error:
                outcome = error
            made += 1
            pause = self._retry.pause_after(outcome, made)
            if pause is None:
                return _successful(outcome)
            await asyncio.sleep(pause)


def _make_repeatable(request: httpx.Request) -> None:
    request.headers.setdefault("Idempotency-Key", str(uuid.uuid4()))


def _successful(outcome: httpx.Response | httpx.TransportError) -> httpx.Response:
    if not isinstance(outcome, httpx.Response):
        raise outcome
    if not outcome.is_success:
        raise error_of(outcome)
    return outcome
