#!/usr/bin/env python3
"""Writes a log of any size, and the answers about it: make_log.py [options] LOG

The same options always make the same bytes. LOG.answers.json has, for each lane, the number of its
elements and of its subscriptions that never ended. Ten million records have 1.44 GB and take less
than ten seconds.
"""

import argparse
import collections
import itertools
import json
import os
import random

# A thread that writes very many records reserves this much of the file, so lines are not sorted by
# time.
BLOCK_LINES = 32 * 1024 // 144
# One in this many subscriptions is declared to live until exit, and does.
PROCESS_LIFETIMES = 100

HEADER = (
    '{"t":0,"event":"trace","version":1,"trace":"%032x","process":"reading-benchmark",'
    '"pid":4242,"host":"bench","started":"2026-11-20T23:48:50.123456789Z","recorder":"0.1.0",'
    '"segment":1,"sub":0,"lane":"-","value":"-","truncated":0,"error":"-","thread":0,"op":"-",'
    '"source":"-","function":"-","type":"-","parent":0,"cause":0,"scope":0,"outer":0,"lifetime":"-",'
    '"frames":"-","name":"-","count":0,"reason":"-","on":"-","records":0,"lost":0}\n'
)
AREAS = [
    "search",
    "checkout",
    "account",
    "catalogue",
    "messages",
    "settings",
    "playback",
    "tracking",
]
THINGS = [
    "results.visible",
    "suggestions.ranked",
    "cart.total",
    "recommendations",
    "connection.state",
]
WORDS = [
    "swift",
    "signal",
    "observer",
    "élan",
    "property",
    "subject",
    "漢字",
    "dispose",
    "queue",
    "event",
]
ENDS = ["disposed", "completed", "disposed", "released", "disposed"]


def main():
    options = arguments()
    path = options.log
    answers = write(options, path + ".part")
    with open(path + ".answers.json", "w") as file:
        json.dump(answers, file, indent=1)
    os.replace(path + ".part", path)


def arguments():
    parser = argparse.ArgumentParser(description="Writes a log as our recorder does.")
    parser.add_argument(
        "--records",
        type=int,
        default=10_000_000,
        help="the number of lines in the log (%(default)s)",
    )
    parser.add_argument("--subscriptions", type=int, default=1000, help="(%(default)s)")
    parser.add_argument("--lanes", type=int, default=40, help="(%(default)s)")
    parser.add_argument("--threads", type=int, default=4, help="(%(default)s)")
    parser.add_argument(
        "--never-end", type=float, default=3, metavar="PERCENT", help="(%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("log", help="the path of the log")
    options = parser.parse_args()
    if min(options.subscriptions, options.lanes, options.threads) < 1:
        parser.error("There must be at least one subscription, lane and thread.")
    if options.subscriptions < options.threads:
        parser.error(
            "Each thread needs a subscription. Choose at least as many subscriptions as threads."
        )
    if options.records < 2 * options.subscriptions + options.threads + 2:
        parser.error(
            "Each subscription needs a record for its beginning and one for its end. Choose more "
            "records."
        )
    return options


class Subscription:
    def __init__(self, number, options, lanes, chance):
        self.number = number
        self.lane = lanes[number % len(lanes)]
        self.thread = number % options.threads + 1
        self.lives_until_exit = number % PROCESS_LIFETIMES == PROCESS_LIFETIMES - 1
        self.ends = not self.lives_until_exit and chance.random() * 100 >= options.never_end
        self.end = ENDS[number % len(ENDS)]
        # The part of each element record between the time and the value.
        self.head = f',"event":"next","sub":{number},"lane":"{self.lane}","value":"'

    def begun(self, time):
        place = self.number % 40
        return (
            f'{{"t":{time},"event":"subscribe","sub":{self.number},"lane":"{self.lane}",'
            f'"thread":{self.thread},"op":"lane",'
            f'"source":"Shop/Screen{place}.swift:{place * 7 + 11}",'
            f'"function":"bind(to:)","type":"Array<String>"{self.lifetime}}}\n'
        )

    @property
    def lifetime(self):
        return ',"lifetime":"process"' if self.lives_until_exit else ""

    def ended(self, time):
        return (
            f'{{"t":{time},"event":"{self.end}","sub":{self.number},"lane":"{self.lane}",'
            f'"thread":{self.thread}}}\n'
        )


def values(chance, thread):
    """Returns texts of 20 to 50 bytes, half of them with quotes, each with the rest of its line."""
    texts = []
    for index in range(997):
        words = [f"{chance.choice(WORDS)} {chance.randrange(10_000)}"]
        shortest = chance.randrange(20, 41)
        while len(text := ", ".join(words)) < shortest:
            words.append(f"{chance.choice(WORDS)} {chance.randrange(100)}")
        if index % 2:
            text = "[" + ", ".join(f'\\"{word}\\"' for word in words) + "]"
        texts.append(text)
    return [f'{text}","thread":{thread}}}\n' for text in texts]


def write(options, path):
    chance = random.Random(options.seed)
    names = (f"app.{area}.{thing}" for area, thing in itertools.product(AREAS, THINGS))
    lanes = [
        next(names, None) or f"feature-{number}.stream.of.changes"
        for number in range(options.lanes)
    ]
    subscriptions = [
        Subscription(number, options, lanes, chance)
        for number in range(1, options.subscriptions + 1)
    ]
    ending = sum(subscription.ends for subscription in subscriptions)
    elements = options.records - 2 - options.threads - len(subscriptions) - ending
    counts = collections.Counter()

    threads = [
        Thread(number, subscriptions, options, chance) for number in range(1, options.threads + 1)
    ]
    rounds = max(1, -(-elements // (BLOCK_LINES * options.threads)))
    time = 1000
    left = elements
    with open(path, "w", encoding="utf-8", newline="\n", buffering=1 << 22) as log:
        log.write(HEADER % chance.getrandbits(128))
        for thread in threads:
            name = "main" if thread.number == 1 else f"worker {thread.number}"
            log.write(f'{{"t":{time},"event":"thread","thread":{thread.number},"name":"{name}"}}\n')
        for index in range(rounds):
            latest = time
            for place, thread in enumerate(threads):
                blocks_left = (rounds - index) * len(threads) - place
                count = -(-left // blocks_left)
                left -= count
                latest = max(latest, thread.write(log, time, count, index, rounds, counts))
            time = latest
        log.write(f'{{"t":{time + 1000},"event":"end","records":{options.records - 1},"lost":0}}\n')

    leaking = collections.Counter(
        each.lane for each in subscriptions if not each.ends and not each.lives_until_exit
    )
    return {
        "records": options.records,
        "elements": dict(sorted(counts.items())),
        "never_ended": dict(sorted(leaking.items())),
    }


class Thread:
    def __init__(self, number, subscriptions, options, chance):
        self.number = number
        self.chance = chance
        self.coming = collections.deque(each for each in subscriptions if each.thread == number)
        self.total = len(self.coming)
        self.max_alive = max(1, self.total // 8)
        # The live subscriptions are those from `oldest` on. A round does nothing for each of them,
        # because there may be a hundred thousand.
        self.begun = []
        self.oldest = 0
        self.values = values(chance, number)
        self.steps = [chance.randrange(60, 400) for _ in range(1009)]

    def write(self, log, time, count, index, rounds, counts):
        """Writes one round of this thread: beginnings, elements and ends.

        Returns the time after the round.
        """
        due = (
            self.total
            if index == rounds - 1
            else max(1, self.total * (index + 1) * 10 // (rounds * 9))
        )
        while self.coming and self.total - len(self.coming) < due:
            subscription = self.coming.popleft()
            time += 500
            log.write(subscription.begun(time))
            self.begun.append(subscription)

        chosen = [
            self.begun[place]
            for place in self.chance.choices(range(self.oldest, len(self.begun)), k=count)
        ]
        offset = self.chance.randrange(len(self.values))
        texts = itertools.islice(itertools.cycle(self.values), offset, offset + count)
        steps = itertools.islice(itertools.cycle(self.steps), offset, offset + count)
        times = itertools.accumulate(steps, initial=time + 100)
        log.write(
            "".join(
                [f'{{"t":{at}{each.head}{text}' for at, each, text in zip(times, chosen, texts)]
            )
        )
        counts.update(each.lane for each in chosen)
        # No record of this round can be later than this.
        time += 100 + 400 * count

        is_last = index == rounds - 1
        while self.oldest < len(self.begun) and (
            is_last or len(self.begun) - self.oldest > self.max_alive
        ):
            subscription = self.begun[self.oldest]
            self.oldest += 1
            if subscription.ends:
                time += 300
                log.write(subscription.ended(time))
        return time


if __name__ == "__main__":
    main()
