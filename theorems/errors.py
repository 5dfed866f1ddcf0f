"""The one error that is the user's to mend: a sentence that says what is wrong and what to do."""


class UserError(ValueError):
    """Bad input.  The command line prints the sentence and exits with code 2, no traceback."""
