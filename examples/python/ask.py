"""Adds a file, waits until it is processed, and asks a question. Usage: python ask.py FILE QUESTION"""

import os
import sys

from lectern import Lectern, LecternError

if len(sys.argv) != 3:
    sys.exit("Usage: python ask.py FILE QUESTION")
file, question = sys.argv[1:]
url, tenant = os.environ.get("LECTERN_URL", "http://127.0.0.1:8080"), os.environ.get("LECTERN_TENANT", "example")
try:
    with Lectern(url, api_key=os.environ.get("LECTERN_KEY"), tenant_id=tenant, tenant_unit_id="python") as lectern:
        lectern.wait_until_ready(lectern.upload(file, dataset_ids=["files"]))
        for hit in lectern.search(question, dataset_ids=["files"], top_k=3):
            print(f"{hit.score:.2f}  {hit.document_name}\n{hit.content}\n")
except LecternError as error:
    sys.exit(str(error))
