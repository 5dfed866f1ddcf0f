"""One page that shows all: the ledger of claims, pictures and figures, in one HTML file.

``command`` (what ``sinkproof report`` does), ``page`` (from figures to HTML), ``sections`` (one
module a section), ``rests_on`` (what a proof uses), ``tightness`` (how near models come to bounds),
``mathml`` and ``prose`` (formulas), ``svg``, ``heatmap``, ``strips`` and ``diagram`` (pictures),
``links`` (to proofs and tests); templates, styles and scripts are in ``assets``.  The page needs no
network: everything is inside.
"""
