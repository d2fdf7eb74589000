"""The form of the answers that the scripts print, which ask one program each."""

import json


def write(rows, seconds):
    """Prints the answers and the time of the query.

    A row has the name of a lane, its elements, and the number of its subscriptions that never
    ended.
    """
    answer = {
        "seconds": seconds,
        "elements": {lane: elements for lane, elements, _ in rows},
        "never_ended": {lane: count for lane, _, count in rows if count},
    }
    print(json.dumps(answer))
