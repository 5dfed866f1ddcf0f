"""The README's picture, from the page as a browser shows it: ``python docs/picture.py``.

Needs chromium and chromedriver (``sh .ci/setup_browser``) and a page in ``build/report``.
"""

from __future__ import annotations

import base64
import shutil
import sys
from pathlib import Path

from selenium.webdriver import Chrome, ChromeOptions, ChromeService

ROOT = Path(__file__).parent.parent
PAGE, PICTURE = ROOT / "build" / "report" / "index.html", ROOT / "docs" / "report.png"
WIDTH, HEIGHT = 1100, 1000
LARGEST = 300_000


def main() -> None:
    """Write the picture.  Ends with a sentence if there is no page, or it comes out too large."""
    if not PAGE.is_file():
        sys.exit("there is no build/report/index.html: run `make report` first")
    options = ChromeOptions()
    options.binary_location = shutil.which("chromium") or "chromium"
    for flag in ("headless=new", "no-sandbox", "hide-scrollbars", f"window-size={WIDTH},{HEIGHT}"):
        options.add_argument(f"--{flag}")
    chrome = Chrome(options=options, service=ChromeService(shutil.which("chromedriver")))
    try:
        chrome.get(PAGE.as_uri())
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        taken = base64.b64decode(chrome.execute_cdp_cmd("Page.captureScreenshot", {})["data"])
    finally:
        chrome.quit()
    if len(taken) > LARGEST:
        sys.exit(f"the picture has {len(taken)} bytes, more than {LARGEST}: make it smaller")
    PICTURE.write_bytes(taken)


if __name__ == "__main__":
    main()
