"""Damages logs, repairs them, and checks the results. Called by repair.sh."""

import gzip
import json
import os
import random
import shutil
import subprocess
import sys

viewer, scratch, logs = sys.argv[1], sys.argv[2], sys.argv[3:]
seeds = int(os.environ.get("SEEDS", "120"))


def run(*arguments):
    done = subprocess.run([viewer, *arguments], capture_output=True)
    return done.returncode, done.stderr.decode()


def damaged(seed):
    """Returns a damaged log. The same seed gives the same log."""
    random_ = random.Random(seed)
    lines = open(random_.choice(logs), "rb").read().split(b"\n")[:-1]
    if random_.random() < 0.3:
        lines += open(random_.choice(logs), "rb").read().split(b"\n")[:-1]
    for _ in range(random_.randint(0, 5)):
        place = random_.randrange(len(lines))
        kind = random_.randrange(14)
        if kind == 0 and len(lines) > 1:
            del lines[place]
        elif kind == 1:
            lines.insert(place, b"printed by the program")
        elif kind == 2:
            lines[place] = lines[place][: random_.randrange(len(lines[place]) + 1)]
        elif kind == 3:
            lines.insert(place, b"\0" * random_.randrange(1, 50))
        elif kind == 4:
            lines.insert(place, b"")
        elif kind == 5:
            lines[place] += b"\r"
        elif kind == 6:
            lines.append(lines.pop(place))
        elif kind == 7:
            lines.insert(0, lines.pop(place))
        elif kind == 8:
            lines[place] = bytes(
                random_.choice(b'\xff\xc3"{}\\') if random_.random() < 0.02 else c
                for c in lines[place]
            )
        elif kind == 9:
            lines[0] = b"\xef\xbb\xbf" + lines[0]
        elif kind == 10:
            lines.insert(place, b'{"t":3,"event":"next"}')
        elif kind == 11 and len(lines) > 4:
            lines = lines[random_.randrange(4):]
        elif kind == 12:
            # A second subscription with the same number.
            lines.insert(
                random_.randrange(len(lines) + 1), lines[place].replace(b'"t":', b'"t":1', 1)
            )
        elif kind == 13:
            lines.insert(place, b'{"t":9,"event":"continued","records":%d,"lost":0}' % place)
    data = b"\n".join(lines) + (b"\n" if random_.random() < 0.8 else b"")
    if random_.random() < 0.2:
        data = data[: random_.randrange(len(data) + 1)]
    if random_.random() < 0.3:
        data = damaged_gzip(random_, data)
    return data


def damaged_gzip(random_, data):
    """Compresses the data into one or two members.

    May cut or change them, or add bytes at the end.
    """
    middle = random_.randrange(len(data) + 1)
    parts = [data] if random_.random() < 0.5 else [data[:middle], data[middle:]]
    packed = bytearray(b"".join(gzip.compress(part) for part in parts))
    kind = random_.randrange(5)
    if kind == 1:
        del packed[random_.randrange(20, len(packed)):]
    elif kind == 2:
        packed += random_.choice([b"\0" * 9, b"behind", b"\x1f\x8b"])
    elif kind == 3:
        packed[random_.randrange(10, len(packed))] ^= 1 << random_.randrange(8)
    return bytes(packed)


def problems(seed):
    old, new, again = (
        os.path.join(scratch, name) for name in ("old.jsonl", "new.jsonl", "again.jsonl")
    )
    open(old, "wb").write(damaged(seed))
    for path in (new, again):
        if os.path.exists(path):
            os.unlink(path)
    damage, _ = run("report", "--strict", old)
    code, told = run("repair", old, "-o", new)
    if code in (65, 66):
        if run("check", old)[0] != code or os.path.exists(new):
            yield (
                f"has exit code {code} from repair, but another one from check, "
                "or is repaired anyway"
            )
        return
    if code != 0:
        yield f"cannot be repaired: {told}"
        return
    whole = open(new, "rb").read()
    try:
        for line in whole.decode("utf-8").split("\n")[:-1]:
            if not isinstance(json.loads(line), dict):
                yield f"has a line that is not an object: {line}"
    except ValueError as error:
        yield f"cannot be read by Python: {error}"
    if seed % 10 == 0 and shutil.which("jq"):
        read = subprocess.run(["jq", "-s", "length", new], capture_output=True)
        if read.returncode != 0 or int(read.stdout) != whole.count(b"\n"):
            yield f"cannot be read by jq: {read.stderr.decode()}"
    if (damage == 0) != ("Nothing to repair" in told) or (damage == 0) == ("Repaired:" in told):
        yield f"has exit code {damage} with --strict, but repair says: {told}"
    strict, why = run("report", "--strict", new)
    if strict != 0:
        yield f"is still damaged: {why}"
    before, after = run("check", old)[0], run("check", new)[0]
    # The repair may drop a second beginning, the only sign that a subscription continued after its
    # end.
    if before != after and (before, after) != (1, 2):
        yield f"has exit code {after} from check after the repair, but {before} before"
    code, told = run("repair", new, "-o", again)
    if not told.startswith("Nothing to repair") or open(again, "rb").read() != whole:
        yield f"is changed by a second repair: {told}"


failed = False
for seed in range(seeds):
    for problem in problems(seed):
        failed = True
        print(f"FAILED: the log of seed {seed} {problem}", file=sys.stderr)
print(f"repair  {seeds} damaged logs")
sys.exit(1 if failed else 0)
