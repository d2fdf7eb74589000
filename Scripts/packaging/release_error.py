"""The errors of the release script."""


class NotReady(Exception):
    """An error if the checkout cannot be released as it is. Its text says what to do."""


class CommandFailed(Exception):
    """An error if a command that the script needs is missing or fails."""
