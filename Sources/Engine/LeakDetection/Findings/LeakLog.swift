package import TraceFormat

/// The findings of a search as a log. The viewer judges, filters and shows it like a recorded log.
package enum LeakLog {
  /// Returns the lines of a log.
  ///
  /// - Parameters:
  ///   - classes: The numbers of live objects by class, or an empty array to omit them.
  ///   - searched: The size of the memory that was searched, in bytes.
  ///   - isWhole: A Boolean value that indicates whether all of the process was searched.
  ///   - identity: The process that was searched.
  package static func bytes(
    _ findings: [LeakFinding], classes: [LeakedObjects.Class] = [], searched: Int, isWhole: Bool,
    _ identity: LogIdentity
  ) -> [UInt8] {
    var bytes = HeaderLine.bytes(identity)
    var records = 1
    for (index, finding) in findings.enumerated() {
      bytes += object(finding, number: index + 1)
      records += 1
      guard finding.retention.kind == .cycle else { continue }
      bytes += retained(finding, number: index + 1)
      records += 1
    }
    if !classes.isEmpty {
      bytes += line(.instances) {
        write(classes.prefix(LeakedObjects.maxListed).map(\.members), .members, &$0)
      }
      records += 1
    }
    // What wasn't searched can have further leaks.
    bytes += line(.end) {
      $0.integer(LogFormat.Key.searched.rawValue, searched)
      $0.integer(LogFormat.Key.records.rawValue, records)
      $0.integer(LogFormat.Key.lost.rawValue, isWhole ? 0 : 1)
    }
    return bytes
  }

  private typealias Key = LogFormat.Key

  private static func line(
    _ event: LogFormat.Event, _ body: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.integer(Key.t.rawValue, 0)
      json.string(Key.event.rawValue, event.rawValue)
      body(&json)
    }
    json.newline()
    return Array(json.bytes)
  }

  private static func object(_ finding: LeakFinding, number: Int) -> [UInt8] {
    line(.object) { json in
      json.integer(Key.sub.rawValue, number)
      json.string(Key.lane.rawValue, finding.name)
      if let site = finding.site { json.string(Key.source.rawValue, site) }
      if !finding.module.isEmpty {
        json.string(Key.type.rawValue, "\(finding.module).\(finding.name)")
      }
      json.integer(Key.count.rawValue, finding.count)
      write(finding.members.prefix(LeakedObjects.maxListed).map(\.members), .members, &json)
      write(finding.held.prefix(LeakedObjects.maxListed).map(\.members), .held, &json)
    }
  }

  private static func retained(_ finding: LeakFinding, number: Int) -> [UInt8] {
    let retention = finding.retention
    return line(.retained) { json in
      json.integer(Key.sub.rawValue, number)
      json.string(Key.lane.rawValue, finding.name)
      json.string(Key.kind.rawValue, retention.kind.rawValue)
      let proof: LogFormat.RetentionProof = retention.isProbable ? .probable : .certain
      json.string(Key.proof.rawValue, proof.rawValue)
      if let index = retention.breakIndex { json.integer(Key.breakIndex.rawValue, index) }
      write(retention.steps.map(\.members), .steps, &json)
    }
  }

  private static func write(
    _ objects: [[(key: RetentionKey, value: RetentionValue)]], _ key: Key, _ json: inout JSONWriter
  ) {
    json.array(key.rawValue) { json in
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
