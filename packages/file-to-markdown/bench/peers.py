"""Runs other parsers: {"peer": ..., "path": ...} on each line of standard input, an outcome on each of standard output."""

import importlib.util
import json
import os
import resource
import shutil
import subprocess
import sys

# Libraries print to standard output, which is the answers' alone.
answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

PANDOC_TARGET = ["-t", "plain", "--wrap=none", "--columns=10000"]


def command(name):
    beside = os.path.join(os.path.dirname(sys.executable), name)
    return beside if os.path.exists(beside) else shutil.which(name)


def run(name, *args):
    done = subprocess.run([command(name), *args], capture_output=True)
    if done.returncode != 0 and not done.stdout:
        raise RuntimeError(done.stderr.decode("utf-8", "replace")[:200])
    return done.stdout.decode("utf-8", "replace")


def markitdown(path):
    from markitdown import MarkItDown

    return MarkItDown().convert(path).text_content


def pymupdf4llm(path):
    import pymupdf4llm

    return pymupdf4llm.to_markdown(path, show_progress=False)


def mupdf(path):
    import pymupdf

    with pymupdf.open(path) as document:
        return "\n".join(page.get_text() for page in document)


def trafilatura(path):
    from trafilatura import extract

    with open(path, "rb") as file:
        return extract(file.read(), include_tables=True, output_format="markdown") or ""


def striprtf(path):
    from striprtf.striprtf import rtf_to_text

    with open(path, encoding="cp1252", errors="replace") as file:
        return rtf_to_text(file.read(), errors="ignore")


def unrtf(path):
    import html
    import re

    return html.unescape(re.sub(r"<[^<>]*>", " ", run("unrtf", "--html", path)))


PEERS = {
    "pandoc": lambda path: run("pandoc", path, *PANDOC_TARGET),
    "markitdown": markitdown,
    "pymupdf4llm": pymupdf4llm,
    "mupdf": mupdf,
    "trafilatura": trafilatura,
    "striprtf": striprtf,
    "unrtf": unrtf,
    "pdftotext": lambda path: run("pdftotext", "-enc", "UTF-8", path, "-"),
    "antiword": lambda path: run("antiword", "-m", "UTF-8.txt", "-w", "0", path),
    "catdoc": lambda path: run("catdoc", "-d", "utf-8", "-w", path),
}
MODULES = {"mupdf": "pymupdf"}
COMMANDS = {"pandoc", "unrtf", "pdftotext", "antiword", "catdoc"}


def installed(name):
    if name in COMMANDS:
        return command(name) is not None
    return importlib.util.find_spec(MODULES.get(name, name)) is not None


def processor_time():
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def answer(request):
    if request["peer"] == "installed":
        return {"text": " ".join(name for name in PEERS if installed(name)), "seconds": 0}
    before = processor_time()
    try:
        text = PEERS[request["peer"]](request["path"])
    except BaseException as error:
        return {"error": f"{type(error).__name__}: {error}"[:300]}
    return {"text": text, "seconds": processor_time() - before}


for line in sys.stdin:
    answers.write(json.dumps(answer(json.loads(line)), ensure_ascii=True) + "\n")
    answers.flush()
