"""The arithmetic cores of the theorems, one module a claim, each with false variants of its steps.

What is here: inequalities between finitely many real numbers, for all lengths L.  What is not:
induction over tokens, layers and tables of rows, which z3 does not do.  Each module says which
step of a proof is the inductive one.
"""
