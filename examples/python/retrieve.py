"""Adds a file, and asks a question with LangChain. Usage: python retrieve.py FILE QUESTION"""

import os
import sys

from lectern import Lectern
from lectern.langchain import LecternRetriever

if len(sys.argv) != 3:
    sys.exit("Usage: python retrieve.py FILE QUESTION")
file, question = sys.argv[1:]
url, tenant = os.environ.get("LECTERN_URL", "http://127.0.0.1:8080"), os.environ.get("LECTERN_TENANT", "example")
with Lectern(url, api_key=os.environ.get("LECTERN_KEY"), tenant_id=tenant, tenant_unit_id="langchain") as lectern:
    lectern.wait_until_ready(lectern.upload(file, dataset_ids=["files"]))
    retriever = LecternRetriever(client=lectern, dataset_ids=["files"], top_k=3)
    for document in retriever.invoke(question):
        print(f"{document.metadata['document_name']}\n{document.page_content}\n")
