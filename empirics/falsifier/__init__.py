"""The falsifier: a claim as data, changed at will, and a search that would refute it.

What is attacked, and what counts

* ``bound``: a bound as a user writes it, parsed and never run
* ``claim``: models, rows, constant or function of η, hypotheses kept; the theorems as claims
* ``fixed``: claims about one network, where the search is for an input
* ``candidate``: a model in rational numbers
* ``judge``: exact re-evaluation; a comparison that a ball does not decide stays undecided

The engines

* ``closed_form``: one layer of token pairs, thousands of models at once over every input
* ``tree``, ``tree_starts``: rows free for every prefix, stacks, residual streams, MLPs
* ``gradient``: batched ascent at fixed error
* ``planar``: one content: linear programs inside, a global search outside
* ``structure``: Hypothesis for ties, zeros and masks
* ``rationals``: from floats to rationals, with the best values for the rows
* ``search``: all of them in turns; ``shrink``: the counterexample made small
* ``witness``: its file, and its judgement from the file alone

What is kept

* ``corpus``, ``corpus_run``: claims with a known answer, and the rates at which they fall
* ``tightness``: proven bound, best found, gap; ``open_questions``: what nobody has proved
* ``evidence``: the theorems' searched evidence; ``command``: ``sinkproof falsify``
"""
