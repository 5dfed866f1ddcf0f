"""Words with formulas in them, as the docstrings write them, to HTML with sub- and superscripts.

>>> print(prose("κ_L = (L−3)/(4(L−1)) and e^{−K}, from one_layer_sink"))
κ<sub>L</sub> = (L−3)/(4(L−1)) and e<sup>−K</sup>, from one_layer_sink
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_LETTER = r"A-Za-zα-ωΑ-Ω\u1D7D0-9ℓ′″*"
_INDEX = re.compile(
    # A Greek letter may follow others (εκ_L), and e a capital (Le^{−K}); a Latin letter within a
    # word is no formula (softmax_sink).
    rf"(?:(?<![\w\u0300-\u036f`])|(?<=[A-Zκη])(?=e\^)|(?=[α-ω)\]‖]))"
    rf"(?P<base>max|min|sup|[A-Za-zα-ωΑ-Ω]̃?\d?|\d+|[)\]‖])"
    rf"(?:_(?P<low>\{{[^{{}}]*\}}|\([^()]*\)|[{_LETTER}]{{1,3}})(?![A-Za-z0-9_]))?"
    rf"(?:\^(?P<high>\{{[^{{}}]*\}}|\([^()]*\)|[−-]?[{_LETTER}]{{1,3}})(?![A-Za-z0-9_]))?"
)
_CODE = re.compile(r"``(.+?)``|`([^`]+)`")


def prose(text: str) -> Markup:
    """``text`` as HTML: x_k and e^K set as indices and powers, backquoted words as code."""
    parts, at = [], 0
    for code in _CODE.finditer(text):
        parts.append(_indexed(text[at : code.start()]))
        parts.append(Markup("<code>{}</code>").format(code.group(1) or code.group(2)))
        at = code.end()
    parts.append(_indexed(text[at:]))
    return Markup("").join(parts)


def _indexed(text: str) -> Markup:
    parts, at = [], 0
    for found in _INDEX.finditer(text):
        if not (found["low"] or found["high"]):
            continue
        parts += [escape(text[at : found.start()]), escape(found["base"])]
        for tag, index in (("sub", found["low"]), ("sup", found["high"])):
            if index:
                parts.append(Markup(f"<{tag}>{{}}</{tag}>").format(_bare(index)))
        at = found.end()
    parts.append(escape(text[at:]))
    return Markup("").join(parts)


def _bare(index: str) -> str:
    """Braces only group; brackets are part of the formula unless they hold all of it."""
    return index[1:-1] if index[0] in "{(" else index
