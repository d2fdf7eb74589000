"""Reads the findings of a report or of a check subscription by subscription."""


def of(report):
    """Returns a dictionary for each subscription: its keys, and those of its finding."""
    return [
        {**finding, **subscription, "group": finding["id"]}
        for finding in report["findings"]
        for subscription in finding["subscriptions"]
    ]
