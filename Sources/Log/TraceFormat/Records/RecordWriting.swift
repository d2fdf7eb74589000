/// A value in a record.
package enum RecordValue {
  case integer(UInt64)
  case text(String)
  case objects([RecordObject])
}

extension LogFormat.Event {
  /// Returns a line of a log that is written as a whole.
  ///
  /// - Parameter time: The time since the start of the log, in nanoseconds.
  package func line(at time: Int = 0, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.integer(LogFormat.Key.t.rawValue, time)
      json.string(LogFormat.Key.event.rawValue, rawValue)
      body(&json)
    }
    json.newline()
    return Array(json.bytes)
  }
}

extension JSONWriter {
  package mutating func write(_ key: LogFormat.Key, _ value: RecordValue) {
    switch value {
    case .integer(let integer): self.integer(key.rawValue, integer)
    case .text(let text): string(key.rawValue, text)
    case .objects(let objects):
      array(key.rawValue) { json in
        for members in objects {
          json.object { json in
            for (key, value) in members {
              switch value {
              case .text(let text): json.string(key.rawValue, text)
              case .integer(let integer): json.integer(key.rawValue, integer)
              }
            }
          }
        }
      }
    }
  }
}
