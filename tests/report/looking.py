"""What the tests ask of a page in the browser."""

from __future__ import annotations

import json
from typing import Any


def resize(chrome: Any, width: int, height: int = 900, *, dark: bool = False) -> None:
    """Show pages as a screen of ``width`` CSS pixels does, in light or dark colours."""
    chrome.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


def open_page(chrome: Any, address: str) -> list[str]:
    """Load ``address`` afresh and return the addresses that were requested for it."""
    chrome.get("about:blank")
    chrome.get_log("performance")
    chrome.get_log("browser")
    chrome.get(address)
    return requests(chrome)


def requests(chrome: Any) -> list[str]:
    """What the page asked for since this was last asked, ``data:`` addresses left out."""
    messages = [json.loads(entry["message"])["message"] for entry in chrome.get_log("performance")]
    asked = [
        m["params"]["request"]["url"]
        for m in messages
        if m["method"] == "Network.requestWillBeSent"
    ]
    return [url for url in asked if not url.startswith("data:")]


def errors(chrome: Any) -> list[str]:
    """What the page complained of since this was last asked."""
    return [entry["message"] for entry in chrome.get_log("browser")]


def overflow(chrome: Any) -> int:
    """By how many pixels the page is wider than the screen."""
    script = "return document.documentElement.scrollWidth - window.innerWidth"
    return int(chrome.execute_script(script))


def put(chrome: Any, id: str, value: Any) -> None:
    """Set a control as a user does, with the event that follows."""
    chrome.execute_script(
        "const e = document.getElementById(arguments[0]); e.value = arguments[1];"
        "e.dispatchEvent(new Event('input', {bubbles: true}));"
        "e.dispatchEvent(new Event('change', {bubbles: true}));",
        id,
        value,
    )


def text(chrome: Any, id: str) -> str:
    """The text of an element, shown or not."""
    script = "return document.getElementById(arguments[0]).textContent"
    return str(chrome.execute_script(script, id)).strip()
