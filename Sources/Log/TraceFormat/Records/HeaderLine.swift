/// The description of the process that writes a log, for the first line of the log.
package struct LogIdentity: Sendable {
  package var trace: String
  package var process: String?
  package var pid: Int
  package var host: String?
  /// The start time, in RFC 3339 format.
  package var started: String
  /// The name of the run to which the process belongs, or nil if it is not known. The processes of
  /// one run have the same name here.
  package var run: String?

  package init(
    trace: String, process: String?, pid: Int, host: String?, started: String, run: String? = nil
  ) {
    self.trace = trace
    self.process = process
    self.pid = pid
    self.host = host
    self.started = started
    self.run = run
  }
}

/// The first line of a log. It describes the process and has every other key of the format once.
///
/// The placeholders let column stores learn each column and its type from the first line: 0 for
/// integers, `-` for text, and a list of one object for lists of objects.
package enum HeaderLine {
  /// Returns the header line, including its newline.
  ///
  /// - Parameter replaced: The number of logs of the same run that were in the file before.
  package static func bytes(
    _ identity: LogIdentity, segment: Int = 1, replaced: Int = 0
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.integer(LogFormat.Key.t.rawValue, 0)
      json.string(LogFormat.Key.event.rawValue, LogFormat.Event.trace.rawValue)
      for key in LogFormat.Key.allCases where key != .t && key != .event {
        write(key, of: identity, segment, replaced, to: &json)
      }
    }
    json.newline()
    return Array(json.bytes)
  }

  private static func write(
    _ key: LogFormat.Key, of identity: LogIdentity, _ segment: Int, _ replaced: Int,
    to json: inout JSONWriter
  ) {
    let name = key.rawValue
    switch key {
    case .version: json.integer(name, LogFormat.version)
    case .minor: json.integer(name, LogFormat.minorVersion)
    case .trace: json.string(name, identity.trace)
    case .process: if let process = identity.process { json.string(name, process) }
    case .pid: json.integer(name, identity.pid)
    case .host: if let host = identity.host { json.string(name, host) }
    case .started: json.string(name, identity.started)
    case .recorder: json.string(name, PackageVersion.current)
    case .segment: json.integer(name, segment)
    case .run: json.string(name, identity.run ?? "-")
    case .replaced: json.integer(name, replaced)
    case .t, .event, .sub, .truncated, .thread, .parent, .cause, .scope, .outer, .count, .tail,
      .breakIndex, .searched, .records, .lost, .shared, .twin, .task, .priority,
      .canceled, .tracer, .moved:
      json.integer(name, 0)
    case .lane, .value, .error, .op, .library, .source, .function, .type, .observed, .lifetime,
      .frames, .name, .reason, .on, .kind, .proof, .owner, .state, .wait, .pause,
      .reach:
      json.string(name, "-")
    case .command:
      json.array(name) { $0.string(nil, "-") }
    case .awaits:
      json.array(name) { json in
        json.object { json in
          for key in [RetentionKey.sub, .thread] { json.integer(key.rawValue, 0) }
        }
      }
    case .members, .held:
      json.array(name) { json in
        json.object { json in
          json.string(RetentionKey.name.rawValue, "-")
          for key in [RetentionKey.count, .bytes] { json.integer(key.rawValue, 0) }
        }
      }
    case .calls:
      json.array(name) { json in
        json.object { json in
          for key in [RetentionKey.name, .site, .path, .code, .kind] {
            json.string(key.rawValue, "-")
          }
          json.integer(RetentionKey.count.rawValue, 0)
        }
      }
    case .steps:
      json.array(name) { json in
        json.object { json in
          for key in RetentionKey.allCases where key != .path && key != .thread {
            if key.isInteger {
              json.integer(key.rawValue, 0)
            } else {
              json.string(key.rawValue, "-")
            }
          }
        }
      }
    }
  }
}
