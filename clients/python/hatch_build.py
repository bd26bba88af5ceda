"""Makes the package lectern.rest from openapi.json while a wheel is built; the checkout has no copy of it."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CONFIG = """
literal_enums: true
post_hooks: ["ruff format ."]
"""


class GenerateRest(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the generated code to the wheel, out of a temporary folder."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            raise RuntimeError("lectern-client is generated while it is built, so it cannot be installed as editable.")
        self.folder = tempfile.TemporaryDirectory()
        folder = Path(self.folder.name)
        (folder / "openapi.json").write_text(json.dumps(without_errors(self.read_openapi())))
        (folder / "config.yml").write_text(CONFIG)
        files = ["--path", "openapi.json", "--config", "config.yml", "--output-path", "rest"]
        generator = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning"]
        subprocess.run([*generator, *files], cwd=folder, check=True)
        build_data["force_include"][str(folder / "rest")] = "lectern/rest"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.folder.cleanup()

    def read_openapi(self) -> dict[str, Any]:
        root = Path(self.root)
        file = root / "openapi.json"
        document: dict[str, Any] = json.loads((file if file.exists() else root / "../../openapi.json").read_text("utf-8"))
        return document


def without_errors(document: dict[str, Any]) -> dict[str, Any]:
    """Leaves out the answers that the package raises, so that no call returns them."""
    for operations in document["paths"].values():
        for operation in operations.values():
            answers = operation["responses"].items()
            operation["responses"] = {status: answer for status, answer in answers if status.startswith("2")}
    return document
