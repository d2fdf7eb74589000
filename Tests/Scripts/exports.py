"""Compares the files that `trace-viewer export` writes with the logs. Called by exports.sh."""

import base64
import collections
import csv
import io
import json
import os
import random
import re
import subprocess
import sys
import unicodedata

viewer, scratch, *logs = sys.argv[1:]

try:
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as perfetto
except ImportError:
    perfetto = None
try:
    from google.protobuf import json_format
    from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as otlp
except ImportError:
    otlp = None

ENDS = ("completed", "failed", "disposed", "released")


def agree(what, found, expected):
    if found != expected:
        sys.exit(f"FAILED: {what}: found {str(found)[:600]}, expected {str(expected)[:600]}")


class Life:
    """A subscription, with everything in the log about it."""

    def __init__(self, record):
        self.lane, self.op, self.begin, self.first = record.get("lane"), None, None, record["t"]
        self.end, self.elements, self.cause, self.source = None, [], None, None


def whole(value):
    """Replaces lone surrogates, which only JSON can have."""
    return (
        value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if isinstance(value, str)
        else value
    )


def read(path):
    """Returns the id of a log, its lives, its records by kind, its marks and its scopes."""
    trace, lives, kinds, marks, scopes, places = path, {}, collections.Counter(), [], set(), {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                record = {key: whole(value) for key, value in json.loads(line).items()}
            except ValueError:
                continue
            event = record.get("event")
            kinds[event] += 1
            if event == "trace":
                trace = record["trace"]
            if event == "mark":
                marks.append(record["name"])
            if event in ("scope-begin", "scope-end"):
                scopes.add(record["scope"])
            if event == "place":
                places[record["lane"]] = record["source"]
            if not record.get("sub"):
                continue
            life = lives.setdefault(record["sub"], Life(record))
            life.first = min(life.first, record["t"])
            if event in ("subscribe", "alive") and life.begin is None:
                life.begin, life.lane, life.op = record["t"], record["lane"], record.get("op")
                life.cause, life.source = record.get("cause"), record.get("source")
            elif event == "next":
                life.elements.append((record["t"], record.get("value"), record.get("thread")))
            elif event in ENDS and life.end is None:
                life.end = (record["t"], event, record.get("error"))
    for life in lives.values():
        if life.begin is None:
            life.begin = life.first
        if life.op == "observe" and life.lane in places:
            life.lane = life.source = places[life.lane]
    return trace, lives, kinds, marks, scopes


def export(kind, *paths):
    path = os.path.join(scratch, "export")
    subprocess.run(
        [viewer, "export", "--no-config", f"--to={kind}", "-o", path, *paths],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    return path


def check_lives(kind, found, lives):
    """`found` is id -> (name, begin, end or None, name of the end or None, elements)."""
    agree(f"{kind}: subscriptions", set(found), set(lives))
    for number, life in lives.items():
        name, begin, end, word, elements = found[number]
        agree(f"{kind}: name of {number}", name, life.lane)
        agree(f"{kind}: beginning of {number}", begin, life.begin)
        agree(f"{kind}: end of {number}", (end, word), life.end[:2] if life.end else (None, None))
        agree(f"{kind}: elements of {number}", elements, life.elements)


def findings_of(path):
    """Returns what `check` reports about each subscription: id -> (finding, part about it)."""
    done = subprocess.run(
        [viewer, "check", "--no-config", "--format=json", path],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    found = collections.defaultdict(dict)
    for finding in json.loads(done.stdout)["findings"]:
        for part in finding["subscriptions"]:
            for number in [part["subscription"], *part.get("others", [])]:
                found[number].setdefault(finding["id"], (finding, part))
    return found


def check_findings(kind, found, events, lives, expected):
    """Compares the findings with those of `check`.

    `found` is id -> findings about a subscription, and `events` is a list of (id, time, name).
    """
    agree(
        f"{kind}: subscriptions with findings",
        {number: {finding["id"] for finding in findings} for number, findings in found.items()},
        {number: set(findings) for number, findings in expected.items()},
    )
    for number, findings in found.items():
        for finding in findings:
            whole_finding, part = expected[number][finding["id"]]
            for key in ("rule", "sentence"):
                agree(f"{kind}: {key} of a finding", finding[key], whole_finding[key])
            agree(f"{kind}: advice", finding.get("advice", ""), part["advice"])
            if part["subscription"] == number and "observed" not in part and part.get("source"):
                agree(f"{kind}: place", finding["place"], part["source"])
            retention = part.get("retention", {})
            if len(retention.get("path", [])) <= 8:
                agree(f"{kind}: steps", len(finding.get("steps", [])), len(retention.get("path", [])))
    last = max((time for time, _, _ in events), default=0)
    names = {f"{f['rule']} {f['id']}" for findings in found.values() for f in findings}
    agree(f"{kind}: one event a finding", sorted(n for _, _, n in events), sorted(names))
    for time, number, name in events:
        agree(f"{kind}: the event is on its subscription", number in found, True)
        if lives[number].end:
            agree(f"{kind}: time of {name}", time, lives[number].end[0])
        else:
            agree(f"{kind}: {name} is at the end", time, last)


def value_of(annotation, names, strings):
    if annotation.dict_entries:
        return {names[e.name_iid]: value_of(e, names, strings) for e in annotation.dict_entries}
    if annotation.array_values:
        return [value_of(e, names, strings) for e in annotation.array_values]
    kind = annotation.WhichOneof("value")
    value = getattr(annotation, kind)
    return strings[value] if kind == "string_value_iid" else value


def annotations(event, names, strings):
    return {names[a.name_iid]: value_of(a, names, strings) for a in event.debug_annotations}


def read_perfetto(path):
    trace = perfetto.Trace()
    with open(path, "rb") as file:
        trace.ParseFromString(file.read())
    sequences, tracks, events = {}, {}, []
    for order, packet in enumerate(trace.packet):
        sequence = packet.trusted_packet_sequence_id
        agree("perfetto: a sequence id", sequence > 0, True)
        if sequence not in sequences:
            agree("perfetto: the first packet's flags", packet.sequence_flags & 1, 1)
            sequences[sequence] = ({}, {}, {}, {})
        names, arguments, strings, sources = sequences[sequence]
        for field, table in (("event_names", names), ("debug_annotation_names", arguments)):
            for entry in getattr(packet.interned_data, field):
                agree(
                    "perfetto: an iid has one name",
                    table.setdefault(entry.iid, entry.name),
                    entry.name,
                )
        strings.update(
            (entry.iid, entry.str.decode())
            for entry in packet.interned_data.debug_annotation_string_values
        )
        sources.update((entry.iid, entry) for entry in packet.interned_data.source_locations)
        if packet.HasField("track_descriptor"):
            descriptor = packet.track_descriptor
            agree(
                "perfetto: a track uuid is unique",
                descriptor.uuid not in tracks and descriptor.uuid > 0,
                True,
            )
            agree(
                "perfetto: a parent comes first",
                descriptor.parent_uuid in tracks or not descriptor.parent_uuid,
                True,
            )
            tracks[descriptor.uuid] = (sequence, descriptor)
        if packet.HasField("track_event"):
            event = packet.track_event
            agree("perfetto: names are used after their definition", packet.sequence_flags, 2)
            agree("perfetto: the track is known", tracks[event.track_uuid][0], sequence)
            agree("perfetto: no clock", packet.timestamp_clock_id, 0)
            name = names[event.name_iid] if event.name_iid else event.name
            source = sources[event.source_location_iid] if event.source_location_iid else None
            events.append(
                (
                    packet.timestamp,
                    order,
                    event,
                    name,
                    annotations(event, arguments, strings),
                    source,
                )
            )
    # The trace processor sorts in the same way: by time, then by position in the file.
    events.sort(key=lambda event: event[:2])
    return tracks, events


def check_perfetto(path, lives, marks, scopes, expected):
    tracks, events = read_perfetto(export("perfetto", path))
    found, ids, processes, seen_scopes, seen_marks = {}, {}, set(), set(), []
    begins, ends, findings, finding_events = {}, {}, {}, []
    for uuid, (_, descriptor) in tracks.items():
        if descriptor.HasField("process"):
            processes.add(uuid)
    agree("perfetto: processes", len(processes), 1)
    B, E, I = (
        perfetto.TrackEvent.TYPE_SLICE_BEGIN,
        perfetto.TrackEvent.TYPE_SLICE_END,
        perfetto.TrackEvent.TYPE_INSTANT,
    )
    for time, _, event, name, arguments, source in events:
        track = event.track_uuid
        if track in processes:
            if name != "lost":
                seen_marks.append(name)
        elif event.type == B and "subscription" in arguments:
            number = ids[track] = arguments["subscription"]
            if "findings" in arguments:
                findings[number] = arguments["findings"]
            agree("perfetto: one slice a track", number in begins, False)
            begins[number] = (name, time, tracks[track][1].name)
            if lives[number].source and ":" in lives[number].source:
                agree(
                    "perfetto: source",
                    f"{source.file_name}:{source.line_number}",
                    lives[number].source,
                )
        elif event.type == B:
            seen_scopes.add(arguments["scope"])
        elif event.type == I and "finding" in arguments:
            agree("perfetto: a finding is in its slice", track in ends, False)
            finding_events.append((time, ids[track], name))
        elif event.type == E and "end" in arguments:
            agree("perfetto: one end a slice", track in ends, False)
            ends[track] = (time, arguments["end"], arguments.get("error"))
    elements = collections.defaultdict(list)
    for time, _, event, name, arguments, _ in sorted(events, key=lambda event: event[1]):
        if event.type == I and name == "next":
            agree(
                "perfetto: an element is on its track",
                ids[event.track_uuid],
                arguments["subscription"],
            )
            elements[ids[event.track_uuid]].append(
                (time, arguments.get("value"), arguments.get("thread"))
            )
    for track, number in ids.items():
        name, begin, lane = begins[number]
        agree("perfetto: a slice has the name of its track", name, lane)
        end = ends.get(track, (None, None, None))
        if lives[number].end:
            agree("perfetto: error", end[2], lives[number].end[2])
        found[number] = (name, begin, end[0], end[1], elements[number])
    check_lives("perfetto", found, lives)
    check_findings("perfetto", findings, finding_events, lives, expected)
    agree("perfetto: marks", sorted(seen_marks), sorted(marks))
    agree("perfetto: scopes", seen_scopes, scopes)
    check_flows(events, ids, lives)


def check_flows(events, ids, lives):
    """Checks the arrows.

    Each begins at the last element of the cause and ends where the subscription begins.
    """
    sources = {}
    for time, _, event, _, _, _ in events:
        for flow in event.flow_ids:
            agree("perfetto: an arrow begins once", flow in sources, False)
            sources[flow] = (ids[event.track_uuid], time)
    arrows = 0
    for time, _, event, _, _, _ in events:
        for flow in event.terminating_flow_ids:
            life = lives[ids[event.track_uuid]]
            number, begin = sources[flow]
            agree("perfetto: an arrow comes from the cause", number, life.cause)
            cause = lives[number]
            before = [t for t, _, _ in cause.elements if t <= life.begin] or [cause.begin]
            agree("perfetto: an arrow begins at the last element", begin, max(before))
            arrows += 1
    known = [
        life
        for number, life in lives.items()
        if life.cause in lives
        and life.cause != number
        and min(
            t for t in [lives[life.cause].begin, *(t for t, _, _ in lives[life.cause].elements)]
        )
        <= life.begin
    ]
    agree("perfetto: arrows", arrows, len(known))


def check_together(paths, lives):
    """Exports several logs into one trace. No two of them may share a track."""
    tracks, events = read_perfetto(export("perfetto", *paths))
    processes = [d.process.pid for _, d in tracks.values() if d.HasField("process")]
    agree("perfetto: pids", len(processes), len(set(processes)))
    begins = sum(
        event.type == 1 and "subscription" in arguments for _, _, event, _, arguments, _ in events
    )
    agree("perfetto: slices of all logs", begins, len(lives))


def check_otlp(path, lives, expected):
    with open(export("otlp", path), encoding="utf-8") as file:
        document = json.load(file)
    for resource in document["resourceSpans"]:
        for span in resource["scopeSpans"][0]["spans"]:
            # OTLP's JSON differs from that of Protocol Buffers in one way: ids are hexadecimal.
            for owner in [span, *span.get("links", [])]:
                for key, length in (("traceId", 32), ("spanId", 16), ("parentSpanId", 16)):
                    if key in owner:
                        agree(
                            f"otlp: {key}",
                            bool(re.fullmatch(f"[0-9a-f]{{{length}}}", owner[key])),
                            True,
                        )
                        owner[key] = base64.b64encode(bytes.fromhex(owner[key])).decode()
    request = json_format.ParseDict(document, otlp.ExportTraceServiceRequest())
    agree("otlp: resources", len(request.resource_spans), 1)
    names = {a.key for a in request.resource_spans[0].resource.attributes}
    agree("otlp: a service", "service.name" in names, True)
    spans = request.resource_spans[0].scope_spans[0].spans
    found, base = {}, None
    for span in spans:
        number = int.from_bytes(span.span_id, "big")
        attributes = {a.key: a.value for a in span.attributes}
        agree(
            "otlp: subscription",
            attributes["reactive.subscription"].int_value,
            min(number, 2**63 - 1),
        )
        agree("otlp: one span a subscription", number in found, False)
        base = base or span.start_time_unix_nano - lives[number].begin
        state = attributes["reactive.state"].string_value
        agree(
            "otlp: a span ends after it begins",
            span.end_time_unix_nano >= span.start_time_unix_nano,
            True,
        )
        end = (None, None) if state == "active" else (span.end_time_unix_nano - base, state)
        nexts = [event for event in span.events if event.name == "next"]
        agree("otlp: events", len(nexts), min(128, len(lives[number].elements)))
        agree(
            "otlp: all events",
            len(nexts) + span.dropped_events_count,
            len(lives[number].elements),
        )
        check_otlp_findings(span, attributes, state, expected.get(number, {}))
        elements = []
        for event in nexts:
            values = {a.key: a.value for a in event.attributes}
            value = values["reactive.value"].string_value if "reactive.value" in values else None
            thread = values["thread.id"].int_value if "thread.id" in values else None
            elements.append((event.time_unix_nano - base, value, thread))
        elements += lives[number].elements[128:]
        # Integers in OTLP are signed. Changing the lives is safe, because no later check uses them.
        lives[number].elements = [
            (t, v, n and min(n, 2**63 - 1)) for t, v, n in lives[number].elements
        ]
        found[number] = (span.name, span.start_time_unix_nano - base, *end, elements)
        if state == "failed":
            agree("otlp: error", span.status.message or None, lives[number].end[2])
        links = [int.from_bytes(link.span_id, "big") for link in span.links]
        cause = lives[number].cause
        agree("otlp: cause", links, [cause] if cause and cause != number else [])
    check_lives("otlp", found, lives)


def check_otlp_findings(span, attributes, state, expected):
    """Compares the attributes, the status and the events of a span with the findings of `check`."""
    key = "trace_viewer.finding."
    seen = {}
    for event in span.events:
        values = {a.key: a.value.string_value for a in event.attributes}
        if key + "id" in values:
            seen[values[key + "id"]] = (event.name, values[key + "text"])
    agree("otlp: findings", set(seen), set(expected))
    for number, (name, text) in seen.items():
        finding, _ = expected[number]
        agree("otlp: name of a finding", name, f"{finding['rule']} {number}")
        agree("otlp: text of a finding", finding["sentence"] in text, True)
    agree("otlp: finding attributes", key + "id" in attributes, bool(expected))
    errors = [f["sentence"] for f, _ in expected.values() if f["level"] == "error" and f["proven"]]
    if expected:
        finding, part = expected[attributes[key + "id"].string_value]
        agree("otlp: rule", attributes[key + "rule"].string_value, finding["rule"])
        if part["advice"]:
            agree("otlp: advice", key + "advice" in attributes, True)
    agree("otlp: status", span.status.code == 2, state == "failed" or bool(errors))
    if errors and state != "failed":
        agree("otlp: message", span.status.message in errors, True)


def is_formula(text):
    """Reports whether a spreadsheet would run this text, so that the exporter must guard it."""
    if text[:1] in ("\t", "\n", "\r"):
        return True
    if text == "-" or re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", text):
        return False
    seen = [c for c in text if not c.isspace() and unicodedata.category(c) not in ("Cc", "Cf")]
    return seen[:1] and seen[0] in "=+-@\uff1d\uff0b\uff0d\uff20"


def unguarded(field):
    return field[1:] if field.startswith("'") and is_formula(field.lstrip("'")) else field


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def check_csv(path, lives, kinds):
    rows = read_csv(export("csv", path))
    agree("csv: records", collections.Counter(r["event"] for r in rows), kinds)
    elements = collections.defaultdict(list)
    for row in rows:
        if row["event"] == "next":
            agree("csv: lane", unguarded(row["lane"]), lives[int(row["sub"])].lane)
            elements[int(row["sub"])].append((int(row["time_ns"]), row["value"], row["thread"]))
    for number, life in lives.items():
        for (time, value, thread), expected in zip(elements[number], life.elements, strict=True):
            agree("csv: time and thread", (time, thread), (expected[0], str(expected[2] or "")))
            agree("csv: value", unguarded(value), expected[1] or "")
            agree("csv: no formula", bool(is_formula(value)), False)


def check_csv_texts():
    """Exports every kind of text in every text column. A CSV reader must get it back unchanged."""
    pieces = [
        "\t",
        "\r",
        "\n",
        "\r\n",
        "\x1b[31m",
        "\0",
        "\x7f",
        "\x85",
        "\u2028",
        "\u200d",
        "\u202e",
        "\ufeff",
        "\"",
        "'",
    ]
    pieces += [
        ",",
        ";",
        " ",
        "-",
        "=",
        "+",
        "@",
        "\uff1d",
        "a",
        "1",
        ".5",
        "e3",
        "\u00e9",
        "e\u0301",
        "\U0001f642",
        "\\",
        "::error::",
    ]
    texts = ["", *pieces, *(a + b for a in pieces for b in pieces)]
    random_ = random.Random(7)
    texts += ["".join(random_.choices(pieces, k=random_.randint(3, 8))) for _ in range(2000)]
    log = os.path.join(scratch, "texts.jsonl")
    with open(log, "w", encoding="utf-8") as file:
        def write(**record):
            file.write(json.dumps(record) + "\n")
        write(t=0, event="trace", version=1, trace="0" * 31 + "1", process="texts", pid=1)
        for number, text in enumerate(texts, 1):
            write(
                t=number,
                event="subscribe",
                sub=number,
                lane=text,
                source=text,
                function=text,
                type=text,
            )
            write(t=number, event="next", sub=number, lane=text, value=text)
            write(t=number, event="failed", sub=number, lane=text, error=text)
            write(t=number, event="mark", name=text)
        write(t=len(texts) + 1, event="end", records=4 * len(texts) + 1, lost=0)
    rows = {kind: [] for kind in ("subscribe", "next", "failed", "mark")}
    for row in read_csv(export("csv", log)):
        rows.setdefault(row["event"], []).append(row)
    for kind, columns in (
        ("subscribe", ("lane", "source", "function", "type")),
        ("next", ("lane", "value")),
        ("failed", ("lane", "error")),
        ("mark", ("name",)),
    ):
        agree(f"csv: {kind}", len(rows[kind]), len(texts))
        for row, text in zip(rows[kind], texts):
            for column in columns:
                agree(f"csv: {column} of {kind}", unguarded(row[column]), text)
                agree(
                    f"csv: {column} of {kind} is no formula", bool(is_formula(row[column])), False
                )
    for number in ("-", "-5", "+0.5"):
        agree(
            "csv: is not guarded", number in {row["value"] for row in rows["next"]}, number in texts
        )
    print(f"exports csv: {len(texts)} texts are unchanged")


check_csv_texts()
everything = set()
for log in logs:
    trace, lives, kinds, marks, scopes = read(log)
    everything |= {(trace, number) for number in lives}
    elements = sum(len(life.elements) for life in lives.values())
    expected = findings_of(log)
    check_csv(log, lives, kinds)
    if perfetto:
        check_perfetto(log, lives, marks, scopes, expected)
    if otlp:
        check_otlp(log, lives, expected)
    found = {finding for findings in expected.values() for finding in findings}
    print(
        f"exports {log}: {len(lives)} subscriptions, {elements} elements, {len(found)} findings"
    )
if perfetto and logs:
    check_together(logs, everything)
for name, module in (("perfetto", perfetto), ("opentelemetry-proto", otlp)):
    if not module:
        print(f"exports skipped for {name}: the Python module is not installed")
