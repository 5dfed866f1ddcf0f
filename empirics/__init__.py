"""What is found by search, training and measuring, and the command line.

* ``strategies``: Hypothesis strategies for inputs and attention models, published for users
* ``search``: searches for counterexamples, each with false variants that it must find
* ``falsifier``: a claim as data, changed at will, and a search that would refute it
* ``training``: many seeds trained at once, measured, resumable to the same bits
* ``certificates``: rigorous bounds for a trained network over all inputs, with their own checker
* ``mechanisms``: normaliser by normaliser, what is necessary, what is possible, what training finds
* ``probes``: sinks and massive activations of real models, without the N × N matrix
* ``report``: everything on one page, and what the book is made with
* ``command_line``: the command; ``verification``, ``showing``, ``doctor``: what it runs and prints
"""
