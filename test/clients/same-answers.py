"""Asks all questions with OpenAI's package and with the retriever for LangChain, and prints the texts that each found as JSON."""

import asyncio
import json
import sys
from pathlib import Path

import openai

from lectern import AsyncLectern, Lectern
from lectern.langchain import LecternRetriever

url, key, file = sys.argv[1:]
questions = [one["question"] for one in json.loads(Path(file).read_text("utf-8"))]
options = {"tenant_id": "acme", "tenant_unit_id": "sales", "api_key": key}
datasets = {"dataset_ids": ["faq"]}


def ask_openai():
    with openai.OpenAI(base_url=f"{url}/integrations/openai/v1", api_key=key) as client:
        search = client.vector_stores.search
        return [[hit.content[0].text for hit in search("vs_sales.faq", query=one)] for one in questions]


async def ask_openai_async():
    async with openai.AsyncOpenAI(base_url=f"{url}/integrations/openai/v1", api_key=key) as client:
        search = client.vector_stores.search
        return [[hit.content[0].text async for hit in search("vs_sales.faq", query=one)] for one in questions]


def ask_langchain():
    with Lectern(url, **options) as client:
        found = LecternRetriever(client=client, **datasets).batch(questions)
    return [[document.page_content for document in documents] for documents in found]


async def ask_langchain_async():
    async with AsyncLectern(url, **options) as client:
        found = await LecternRetriever(async_client=client, **datasets).abatch(questions)
    return [[document.page_content for document in documents] for documents in found]


print(
    json.dumps(
        {
            "openai.OpenAI": ask_openai(),
            "openai.AsyncOpenAI": asyncio.run(ask_openai_async()),
            "LangChain": ask_langchain(),
            "LangChain with asyncio": asyncio.run(ask_langchain_async()),
        }
    )
)
