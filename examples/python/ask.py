"""Adds a file, waits until it is processed, and asks a question.

Usage: python ask.py FILE QUESTION
"""

import os
import sys
import time
import uuid
from pathlib import Path

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

if len(sys.argv) != 3:
    print("Usage: python ask.py FILE QUESTION", file=sys.stderr)
    sys.exit(2)

API = os.environ.get("LECTERN_URL", "http://127.0.0.1:8080") + "/admin/api/v1"
TENANT, UNIT, DATASET = os.environ.get("LECTERN_TENANT", "example"), "python", "files"

# Retry-After is respected. Every write below has an Idempotency-Key, so that repeating it is safe.
retry = Retry(total=5, backoff_factor=0.4, status_forcelist=[429, 502, 503, 504], allowed_methods=None)
session = requests.Session()
session.mount(API, HTTPAdapter(max_retries=retry))
if key := os.environ.get("LECTERN_KEY"):
    session.headers["X-Api-Key"] = key


def call(method: str, path: str, **options):
    """The parsed answer; ends the program with the server's own words where it refuses."""
    response = session.request(method, API + path, timeout=60, **options)
    if not response.ok:
        sys.exit("\n".join(f"{problem['loc']}: {problem['msg']}" for problem in response.json()["detail"]))
    return response.json()


file, question = Path(sys.argv[1]), sys.argv[2]
document = call(
    "POST",
    "/documents/upload",
    data={"tenantId": TENANT, "tenantUnitId": UNIT, "datasetIds": [DATASET], "documentType": "UnstructuredFile"},
    files={"file": (file.name, file.read_bytes())},
    headers={"Idempotency-Key": str(uuid.uuid4())},
)
while document["status"] in ("created", "processing"):
    time.sleep(0.2)
    document = call("GET", f"/documents/{document['id']}", params={"tenantId": TENANT})
print(document["status"], file=sys.stderr)

hits = call(
    "POST",
    "/api/v1/documentChunks/search",
    params={"tenantId": TENANT},
    json={"tenant_id": TENANT, "tenant_unit_id": UNIT, "dataset_ids": [DATASET], "query": question},
)
for hit in hits[:3]:
    print(f"{hit['score']:.2f}  {hit['document_name']}\n{hit['content']}\n")
