"""Calls a running server with the client that openapi-python-client generates, and prints what it was answered.

Usage: python call.py ADDRESS
"""

import json
import sys
import time
from io import BytesIO

from lectern_client import Client
from lectern_client.api.conversations import conversations_create, conversations_list
from lectern_client.api.document_chunks import chunks_search
from lectern_client.api.documents import documents_get, documents_upload
from lectern_client.models import DocumentChunkSearch, DocumentType, DocumentUpload, NewConversation
from lectern_client.types import File

client = Client(base_url=sys.argv[1])
TENANT, UNIT = "python", "support"
scope = {"tenant_id": TENANT, "tenant_unit_id": UNIT}

conversation = NewConversation.from_dict({"topic": "Refund", "inputs": {"order": "1042"}})
created = conversations_create.sync_detailed(client=client, body=conversation, x_user_id="ana", **scope)
listed = conversations_list.sync(client=client, statuses=["running"], **scope)

upload = DocumentUpload(
    document_type=DocumentType.UNSTRUCTUREDFILE,
    dataset_ids=["faq"],
    file=File(BytesIO(b"A refund is paid within thirty days."), "refunds.txt", "text/plain"),
    **scope,
)
uploaded = documents_upload.sync_detailed(client=client, body=upload)
document = uploaded.parsed
for _ in range(600):
    if document.status == "ready":
        break
    time.sleep(0.1)
    document = documents_get.sync(document.id, client=client, tenant_id=TENANT)

search = DocumentChunkSearch(dataset_ids=["faq"], query="When is a refund paid?", **scope)
found = chunks_search.sync(client=client, body=search, tenant_id=TENANT)
missing = documents_get.sync_detailed("absent", client=client, tenant_id=TENANT)

first = created.parsed
print(
    json.dumps(
        {
            "created": [created.status_code, first.topic, first.inputs.to_dict(), first.user_id],
            "listed": [listed.total_count, [[one.topic, one.message_count] for one in listed.data]],
            "uploaded": [uploaded.status_code, uploaded.parsed.document_name, document.status],
            "found": [[hit.content, hit.document_name] for hit in found],
            "missing": [missing.status_code, [one.to_dict() for one in missing.parsed.detail]],
        }
    )
)
