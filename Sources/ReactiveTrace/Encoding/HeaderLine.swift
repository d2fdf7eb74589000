/// The first line of a log: what the process is, and every other key of the format once.
///
/// The placeholders let column stores learn each column and its type from line one: 0 for integers, `-` for text.
package enum HeaderLine {
  package static func bytes(_ identity: LogIdentity, segment: Int = 1) -> [UInt8] {
    var line = LineBuffer()
    defer { line.deallocate() }
    line.begin(at: 0, EncodedEvent(.trace))
    for key in LogFormat.Key.allCases where key != .t && key != .event {
      write(key, of: identity, segment, to: &line)
    }
    line.end()
    return line.finishedBytes
  }

  private static func write(
    _ key: LogFormat.Key, of identity: LogIdentity, _ segment: Int, to line: inout LineBuffer
  ) {
    let encoded = EncodedKey(key)
    switch key {
    case .version: line.integer(encoded, LogFormat.version)
    case .trace: line.text(encoded, identity.trace)
    case .process: if let process = identity.process { line.text(encoded, process) }
    case .pid: line.integer(encoded, identity.pid)
    case .host: if let host = identity.host { line.text(encoded, host) }
    case .started: line.text(encoded, identity.started)
    case .recorder: line.text(encoded, LogIdentity.recorderVersion)
    case .segment: line.integer(encoded, segment)
    case .t, .event, .sub, .truncated, .thread, .parent, .cause, .scope, .outer, .count, .records,
      .lost:
      line.integer(encoded, 0)
    case .lane, .value, .error, .op, .source, .function, .type, .lifetime, .frames, .name, .reason,
      .on:
      line.text(encoded, "-")
    }
  }
}
