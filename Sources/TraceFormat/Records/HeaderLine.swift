/// The description of the process that writes a log, for the first line of the log.
package struct LogIdentity: Sendable {
  package var trace: String
  package var process: String?
  package var pid: Int
  package var host: String?
  /// The start time, in RFC 3339 format.
  package var started: String

  package init(trace: String, process: String?, pid: Int, host: String?, started: String) {
    self.trace = trace
    self.process = process
    self.pid = pid
    self.host = host
    self.started = started
  }
}

/// The first line of a log. It describes the process and has every other key of the format once.
///
/// The placeholders let column stores learn each column and its type from the first line: 0 for
/// integers, `-` for text.
package enum HeaderLine {
  /// Returns the header line, including its line end.
  package static func bytes(_ identity: LogIdentity, segment: Int = 1) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.integer(LogFormat.Key.t.rawValue, 0)
      json.string(LogFormat.Key.event.rawValue, LogFormat.Event.trace.rawValue)
      for key in LogFormat.Key.allCases where key != .t && key != .event {
        write(key, of: identity, segment, to: &json)
      }
    }
    json.newline()
    return json.bytes
  }

  private static func write(
    _ key: LogFormat.Key, of identity: LogIdentity, _ segment: Int, to json: inout JSONWriter
  ) {
    let name = key.rawValue
    switch key {
    case .version: json.integer(name, LogFormat.version)
    case .trace: json.string(name, identity.trace)
    case .process: if let process = identity.process { json.string(name, process) }
    case .pid: json.integer(name, identity.pid)
    case .host: if let host = identity.host { json.string(name, host) }
    case .started: json.string(name, identity.started)
    case .recorder: json.string(name, PackageVersion.current)
    case .segment: json.integer(name, segment)
    case .t, .event, .sub, .truncated, .thread, .parent, .cause, .scope, .outer, .count, .records,
      .lost:
      json.integer(name, 0)
    case .lane, .value, .error, .op, .source, .function, .type, .lifetime, .frames, .name, .reason,
      .on:
      json.string(name, "-")
    }
  }
}
