"""Which requests are sent again, and when."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

import httpx

#: Broken connections. A timeout is not among them: the caller has waited long enough.
BROKEN = (httpx.NetworkError, httpx.RemoteProtocolError)
_TEMPORARY = {429, 502, 503, 504}


@dataclass(frozen=True)
class Retry:
    """How often, and how patiently, a request is sent again. Times are in seconds."""

    #: Attempts in all; 1 never tries again.
    attempts: int = 5
    #: Longest pause before the second attempt. It doubles with every further one.
    pause: float = 0.4
    #: Longest pause of all. A longer ``Retry-After`` is not waited for.
    max_pause: float = 30.0

    def pause_after(self, outcome: httpx.Response | httpx.TransportError, made: int) -> float | None:
        """The pause after an attempt, or None where its outcome is final."""
        if made >= self.attempts or not _is_temporary(outcome):
            return None
        wanted = _retry_after(outcome) if isinstance(outcome, httpx.Response) else 0.0
        if wanted > self.max_pause:
            return None
        # Random, so that clients that were refused together do not come back together.
        return wanted + random.uniform(0, min(self.max_pause, self.pause * 2 ** (made - 1)))


def _is_temporary(outcome: httpx.Response | httpx.TransportError) -> bool:
    if not isinstance(outcome, httpx.Response):
        return True
    # The first attempt, whose connection broke, may still be running.
    return outcome.status_code in _TEMPORARY or (
        outcome.status_code == 409 and "idempotency_key_in_use" in outcome.text
    )


def _retry_after(response: httpx.Response) -> float:
    value = response.headers.get("Retry-After", "")
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return 0.0
