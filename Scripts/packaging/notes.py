"""Release notes, which are a section of the changelog."""

import re

from release_error import NotReady


def section(changelog, version):
    """Returns the text below the heading of a version."""
    text = changelog.read_text()
    found = re.search(
        rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d\n(.*?)(?=^## |\Z)",
        text,
        re.MULTILINE | re.DOTALL,
    )
    if not found or not found.group(1).strip():
        raise NotReady(
            f"{changelog.name} has no section '## {version} - YEAR-MONTH-DAY' with text. Write "
            "down what has changed."
        )
    return found.group(1).strip() + "\n"
