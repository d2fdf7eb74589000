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
      bytes += LogFormat.Event.instances.line {
        $0.write(.members, .objects(classes.prefix(LeakedObjects.maxListed).map(\.members)))
      }
      records += 1
    }
    // What wasn't searched can have further leaks.
    bytes += LogFormat.Event.end.line {
      $0.integer(LogFormat.Key.searched.rawValue, searched)
      $0.integer(LogFormat.Key.records.rawValue, records)
      $0.integer(LogFormat.Key.lost.rawValue, isWhole ? 0 : 1)
    }
    return bytes
  }

  private typealias Key = LogFormat.Key

  private static func object(_ finding: LeakFinding, number: Int) -> [UInt8] {
    LogFormat.Event.object.line { json in
      json.integer(Key.sub.rawValue, number)
      json.string(Key.lane.rawValue, finding.name)
      if let site = finding.site { json.string(Key.source.rawValue, site) }
      if let reference = finding.reference { json.string(Key.function.rawValue, reference) }
      if !finding.module.isEmpty {
        json.string(Key.type.rawValue, "\(finding.module).\(finding.name)")
      }
      json.integer(Key.count.rawValue, finding.count)
      json.write(.members, .objects(finding.members.prefix(LeakedObjects.maxListed).map(\.members)))
      json.write(.held, .objects(finding.held.prefix(LeakedObjects.maxListed).map(\.members)))
    }
  }

  private static func retained(_ finding: LeakFinding, number: Int) -> [UInt8] {
    let retention = finding.retention
    return LogFormat.Event.retained.line { json in
      json.integer(Key.sub.rawValue, number)
      json.string(Key.lane.rawValue, finding.name)
      json.string(Key.kind.rawValue, retention.kind.rawValue)
      let proof: LogFormat.RetentionProof = retention.isProbable ? .probable : .certain
      json.string(Key.proof.rawValue, proof.rawValue)
      if retention.tail > 0 { json.integer(Key.tail.rawValue, retention.tail) }
      if let index = retention.breakIndex { json.integer(Key.breakIndex.rawValue, index) }
      json.write(.steps, .objects(retention.steps.map(\.members)))
    }
  }
}
