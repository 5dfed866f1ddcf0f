"""The page, written once, and a headless Chromium to look at it."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from empirics.report import command
from theorems.ledger import read

MISSING = (
    "no chromium, chromedriver and selenium here: `sh .ci/setup_browser` and "
    "pip install 'sinkproof[dev]' install them"
)


@dataclass(frozen=True)
class Page:
    """A written page and the object that it shows."""

    path: Path
    content: dict[str, Any]

    @property
    def address(self) -> str:
        return self.path.resolve().as_uri()

    @property
    def html(self) -> str:
        return self.path.read_text("utf-8")


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    """The page of the checkout's own ledger and results."""
    content = command.contents(read())
    folder = tmp_path_factory.mktemp("report")
    return Page(command.write(content, folder), json.loads(json.dumps(content)))


@pytest.fixture(scope="session")
def chrome() -> Iterator[Any]:
    """A headless Chromium that logs what it requests.  Without one, tests skip, but not in CI."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    client = importlib.util.find_spec("selenium")
    if browser is None or driver is None or client is None:
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = ChromeOptions()
    options.binary_location = browser
    for flag in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    window = Chrome(options=options, service=ChromeService(driver))
    try:
        yield window
    finally:
        window.quit()
