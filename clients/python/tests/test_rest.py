from __future__ import annotations

import asyncio
from typing import Any

from conftest import URL

from lectern import AsyncLectern, Lectern
from lectern.rest.api.conversations import conversations_create, conversations_list
from lectern.rest.api.documents import documents_list
from lectern.rest.models import NewConversation


def test_the_rest_of_the_api(options: dict[str, Any]) -> None:
    scope = {"tenant_id": options["tenant_id"], "tenant_unit_id": options["tenant_unit_id"]}
    with Lectern(URL, **options, user_id="ana") as lectern:
        conversation = NewConversation.from_dict({"topic": "Refund", "inputs": {"order": "1042"}})
        created = conversations_create.sync_detailed(client=lectern.rest, body=conversation, **scope)
        first = created.parsed
        assert first and first.inputs
        assert (created.status_code, first.topic, first.user_id) == (201, "Refund", "ana")
        assert first.inputs.to_dict() == {"order": "1042"}
        listed = conversations_list.sync(client=lectern.rest, statuses=["running"], **scope)
        assert listed and listed.total_count == 1
        assert [(one.topic, one.message_count) for one in listed.data] == [("Refund", 0)]


def test_the_rest_of_the_api_with_asyncio(options: dict[str, Any]) -> None:
    async def call() -> None:
        async with AsyncLectern(URL, **options) as lectern:
            page = await documents_list.asyncio(
                client=lectern.rest, tenant_id="acme", tenant_unit_id=options["tenant_unit_id"]
            )
            assert page and page.pagination.total_count == 0

    asyncio.run(call())
