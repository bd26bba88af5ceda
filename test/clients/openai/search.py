"""Lists, reads and searches vector stores with OpenAI's package, and prints what it got as JSON."""

import json
import sys

import openai

client = openai.OpenAI(
    base_url=f"{sys.argv[1]}/integrations/openai/v1", api_key=sys.argv[2], max_retries=0
)
stores = client.vector_stores


def failure(call):
    try:
        call()
    except openai.APIStatusError as error:
        return [type(error).__name__, error.status_code, error.body]


found = stores.search(
    "vs_sales.faq",
    query=["Where is the red town?"],
    max_num_results=1,
    filters={"type": "in", "key": "colour", "value": ["red", "green"]},
    ranking_options={"ranker": "auto", "score_threshold": 0},
    rewrite_query=False,
)
print(
    json.dumps(
        {
            "listed": [store.id for store in stores.list(limit=1, order="asc")],
            "turned": [store.id for store in stores.list(limit=1)],
            "retrieved": stores.retrieve("vs_sales.faq").name,
            "found": [
                [hit.filename, hit.content[0].text, hit.attributes["unit"], 0 < hit.score <= 1]
                for hit in found
            ],
            "unknown": failure(lambda: stores.search("vs_sales.none", query="x")),
            "unsupported": failure(
                lambda: stores.search("vs_sales.faq", query="x", rewrite_query=True)
            ),
        }
    )
)
