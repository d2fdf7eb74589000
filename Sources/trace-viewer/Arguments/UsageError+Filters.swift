// Errors for values that can only be checked against a log.
extension UsageError {
  /// The maximum number of names that a sentence lists.
  private static let mostNames = 12

  static func unknownTime(
    _ text: String, _ option: String, marks: [String], _ command: CommandSpec.Name
  ) -> UsageError {
    unknown(
      text, option, "a time, such as 1.5s or 300ms, or the name of a mark", "marks", marks, command)
  }

  static func unknownScope(
    _ text: String, scopes: [String], _ command: CommandSpec.Name
  ) -> UsageError {
    unknown(text, "--scope", "the name or number of a scope", "scopes", scopes, command)
  }

  static func unknownThread(
    _ text: String, threads: [String], _ command: CommandSpec.Name
  ) -> UsageError {
    unknown(text, "--thread", "the name or number of a thread", "named threads", threads, command)
  }

  static func unknownLane(
    _ text: String, lanes: [String], _ command: CommandSpec.Name
  ) -> UsageError {
    unknown(
      text, "--lane", "the name of a lane, with * and ? for anything", "lanes", lanes, command)
  }

  static func emptyTime(_ end: String, _ command: CommandSpec.Name) -> UsageError {
    UsageError(.wrongValue, command, "'\(end)' is before '--from': nothing lies between them.")
  }

  static func wrongPattern(
    _ text: String, _ reason: String, _ command: CommandSpec.Name
  ) -> UsageError {
    UsageError(
      .wrongValue, command,
      "'\(text)' is no value of '--value', which takes a regular expression: \(reason).")
  }

  static func outputIsInput(_ path: String, _ command: CommandSpec.Name) -> UsageError {
    UsageError(
      .sameFile, command, "'\(path)' is a log that is read; name another file with '--output'.")
  }

  static func standardOutputIsLog(_ path: String, _ command: CommandSpec.Name) -> UsageError {
    UsageError(
      .sameFile, command,
      "'\(path)' is a log that is read, and standard output goes to it; redirect it elsewhere.")
  }

  private static func unknown(
    _ text: String, _ option: String, _ demand: String, _ kind: String, _ known: [String],
    _ command: CommandSpec.Name
  ) -> UsageError {
    var names: [String] = []
    for name in known where !names.contains(name) && names.count <= mostNames { names.append(name) }
    let hint = hint(Suggestion.best(text, of: names))
    let list =
      names.prefix(mostNames).joined(separator: ", ") + (names.count > mostNames ? ", ..." : "")
    let offer = names.isEmpty ? " The log has no \(kind)." : " The \(kind) are: \(list)."
    return UsageError(
      .wrongValue, command,
      "'\(text)' is no value of '\(option)', which takes \(demand).\(hint)\(offer)")
  }
}
