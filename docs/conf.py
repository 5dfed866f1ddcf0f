"""How the book is built: Sphinx with its own basic theme, styled like the page of the report."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from theorems.files import versions  # noqa: E402

project = "sinkproof"
author = "the sinkproof authors"
version = release = versions()["sinkproof"]
extensions = ["sphinx.ext.autodoc", "sphinx.ext.apidoc", "book"]

html_theme = "basic"
ASSETS = "../empirics/report/assets"
html_static_path = [f"{ASSETS}/page.css", f"{ASSETS}/ledger.css", "style"]
html_css_files = ["page.css", "ledger.css", "style.css"]
html_title = "The sinkproof book"
html_copy_source = False
html_show_copyright = html_show_sphinx = False
html_sidebars = {"**": ["localtoc.html", "relations.html", "searchbox.html"]}
exclude_patterns = ["style"]

autodoc_typehints = "description"
autodoc_preserve_defaults = True  # a default is shown as it is written, not as its value
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
apidoc_modules = [
    {
        "path": f"../{room}",
        "destination": f"api/{room}",
        "separate_modules": True,
        "module_first": True,
        "automodule_options": {"members"},
    }
    for room in ("constructions", "theorems")
]
