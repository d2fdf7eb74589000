#!/usr/bin/env python3
"""Validates logs against log.schema.json with a validator that is not ours (fastjsonschema).

    Tests/Scripts/log-schema.py LOG|FOLDER...

Users' readers accept keys and kinds of records that the schema does not know. Here, each of them is
an error, because a log of this version must not have any. The header must have exactly the keys of
the schema. Of a log with more than 2,000 lines, the first and last 1,000 are validated. Files that
do not begin with a header are counted and skipped: tests leave them for the recorder to replace.
"""

import json
import pathlib
import sys

import fastjsonschema

root = pathlib.Path(__file__).resolve().parent.parent.parent
catalog = root / "Sources/ReactiveTrace/ReactiveTrace.docc"
schema = json.loads((catalog / "Resources/log.schema.json").read_text())
LIMIT = 1_000


def make_validator():
  """Returns a validator that rejects everything that the schema does not list."""
  strict = dict(schema)
  strict["additionalProperties"] = False
  rules = [rule["if"] for rule in schema["allOf"]]
  kinds = [rule["properties"]["event"]["const"] for rule in rules if "properties" in rule]
  event = {"anyOf": [{"pattern": "^-"}, {"enum": kinds}]}
  steps = dict(schema["properties"]["steps"])
  steps["items"] = {**steps["items"], "additionalProperties": False}
  strict["properties"] = {**schema["properties"], "event": event, "steps": steps}
  return fastjsonschema.compile(strict)


def check(file: pathlib.Path, validate) -> tuple[int, str | None]:
  """Returns the number of validated lines, and the first error.

  Without lines, the file isn't a log.
  """
  text = file.read_bytes()
  lines = text.split(b"\n")
  whole, torn = lines[:-1], lines[-1]
  if not whole or b'"event":"trace"' not in whole[0]:
    return 0, None
  if torn and b'"event":"end"' in torn:
    return 0, "the last line has no line feed"
  chosen = range(len(whole))
  if len(whole) > 2 * LIMIT:
    chosen = [*range(LIMIT), *range(len(whole) - LIMIT, len(whole))]
  count = 0
  for index in chosen:
    if not whole[index].strip():
      continue
    try:
      record = json.loads(whole[index])
      validate(record)
      # Earlier versions did not have some of these keys.
      optional = {
        "run", "replaced", "host", "shared", "twin", "minor", "steps", "owner", "searched", "task",
        "priority", "state", "wait", "pause", "awaits", "canceled", "reach", "calls", "members",
        "held", "command", "tracer", "moved", "library"}
      if index == 0 and set(record) - optional != set(schema["properties"]) - optional:
        keys = sorted(set(record) ^ set(schema["properties"]))
        return count, f"the header and the schema do not have the same keys: {keys}"
    except (ValueError, fastjsonschema.JsonSchemaException) as error:
      return count, f"line {index + 1}: {error}: {whole[index][:300].decode(errors='replace')}"
    count += 1
  return count, None


def must_refuse(validate) -> list[str]:
  """Validates lines that are wrong. Returns those that pass."""
  wrong = [
    '{"event":"end","records":1,"lost":0}', '{"t":1,"sub":1}',
    '{"t":-1,"event":"end","records":1,"lost":0}', '{"t":1,"event":"next","sub":1,"lane":"a"}',
    '{"t":1,"event":"next","sub":"1","lane":"a","thread":1}',
    '{"t":1,"event":"completed","sub":1,"lane":"a","thread":1,"value":"3"}',
    '{"t":1,"event":"mark","name":"a","more":1}',
    '{"t":1,"event":"retained","sub":1,"lane":"a","kind":"loop"}', '{"t":1,"event":"unknown"}',
    '[]', '{"t":1.5,"event":"mark","name":"a"}',
  ]
  passed = []
  for line in wrong:
    try:
      validate(json.loads(line))
      passed.append(line)
    except fastjsonschema.JsonSchemaException:
      pass
  return passed


def must_accept(validate) -> list[str]:
  """Validates the lines that a killed thread leaves. Returns the lines that are rejected."""
  refused = []
  lines = [
    '{"t":1}', '{"t":1,"event":"-ext","sub":1,"lane":"a"}',
    '{"t":1,"event":"end","records":1,"lost":0}']
  for line in lines:
    try:
      validate(json.loads(line))
    except fastjsonschema.JsonSchemaException:
      refused.append(line)
  return refused


def main() -> int:
  validate = make_validator()
  problems = [f"the schema accepts {line}" for line in must_refuse(validate)]
  problems += [f"the schema refuses {line}" for line in must_accept(validate)]
  files: list[pathlib.Path] = []
  for argument in map(pathlib.Path, sys.argv[1:]):
    files += sorted(argument.iterdir()) if argument.is_dir() else [argument]
  logs = lines = 0
  for file in files:
    count, problem = check(file, validate)
    if problem:
      problems.append(f"{file.name}: {problem}")
    logs += count > 0
    lines += count
  for problem in problems[:20]:
    print(f"FAILED: {problem}")
  print(
    f"{lines} lines of {logs} logs validated, {len(files) - logs} other files, "
    f"{len(problems)} problems")
  return 1 if problems or logs == 0 else 0


if __name__ == "__main__":
  sys.exit(main())
