import TraceAnalysis
import TraceFormat
import TraceWords

// The logs themselves: their headers, their ends, their damage, and the marks and scopes of the
// user.
extension JSONReport {
  func writeLogs(_ json: inout JSONWriter) {
    json.array("logs") { json in
      for number in log.logs.indices { writeLog(number, &json) }
    }
  }

  private func writeLog(_ number: Int, _ json: inout JSONWriter) {
    let one = log.logs[number]
    json.object { json in
      json.array("names", onOneLine: true) { json in
        for name in one.names { json.string(nil, text(name)) }
      }
      if let header = one.header { write(header, &json) }
      json.integer("start", one.offset)
      json.integer("duration", one.lastTime.since(Nanoseconds(one.offset)).count)
      json.integer("records", one.records)
      json.integer("subscriptions", one.subscriptionCount)
      json.integer("active", log.activeSubscriptions(of: number))
      if let searched = one.searched {
        json.integer("searched", searched)
        json.object("leaked", onOneLine: true) { json in
          json.integer("objects", one.leaked.objects)
          json.integer("bytes", one.leaked.bytes)
        }
      }
      if let end = one.end {
        json.object("end", onOneLine: true) { json in
          json.integer("time", end.time.after(one.offset).count)
          if let records = end.records { json.integer("records", records) }
        }
      }
      json.array("doubts") { json in
        for doubt in verdict.doubts[number] { write(doubt, &json) }
      }
      json.array("damage") { json in
        for section in log.sections where section.log == number { write(section, &json) }
      }
    }
  }

  private func write(_ header: TraceHeader, _ json: inout JSONWriter) {
    json.object("header") { json in
      json.integer("version", header.version)
      let texts = [
        ("trace", header.trace), ("process", header.process), ("host", header.host),
        ("started", header.started), ("recorder", header.recorder),
      ]
      for (key, value) in texts {
        if let value { json.string(key, text(value)) }
        if key == "process", let pid = header.pid { json.integer("pid", pid) }
      }
    }
  }

  private func write(_ doubt: Verdict.Doubt, _ json: inout JSONWriter) {
    let (kind, count): (String, UInt64?) =
      switch doubt {
      case .noEnd: ("no-end", nil)
      case .continues: ("continues", nil)
      case .lost(let count): ("lost", count)
      case .missing(let count): ("missing", count)
      case .partlySearched: ("partly-searched", nil)
      case .unknownTasks: ("unknown-tasks", nil)
      case .extra(let count): ("extra", count)
      case .skipped(let count): ("skipped", UInt64(count))
      case .reused(let count): ("reused", UInt64(count))
      case .unpackedInPart: ("unpacked-in-part", nil)
      case .replaced(let count): ("replaced", count)
      }
    json.object(onOneLine: true) { json in
      json.string("kind", kind)
      if let count { json.integer("count", count) }
      json.string("sentence", LogSentences.doubt(doubt))
    }
  }

  private func write(_ section: LogAnalysis.Section, _ json: inout JSONWriter) {
    for kind in Damage.Kind.allCases {
      guard let tally = section.damage[kind] else { continue }
      json.object(onOneLine: true) { json in
        json.string("kind", kind.word)
        json.integer("count", tally.count)
        json.string("file", text(log.files[section.file].name))
        json.integer("line", tally.firstLine)
        json.string("sentence", LogSentences.damage(kind, tally.count))
      }
    }
  }

  /// Writes the marks and scopes in the time range that is shown, and the scopes of all
  /// subscriptions that are shown.
  func writeNotes(_ json: inout JSONWriter) {
    json.array("marks") { json in
      for mark in log.marks where excerpt.times.contains(mark.time) {
        json.object(onOneLine: true) { json in
          json.string("name", text(mark.name))
          json.integer("log", mark.log)
          json.integer("time", mark.time.count)
        }
      }
    }
    // Usually, no log has scopes, and looking for those of a million subscriptions takes time.
    let members = log.scopes.isEmpty ? [] : excerpt.members
    let used = Set(
      members.lazy.map { log.lifecycles[$0] }.compactMap { lifecycle in
        lifecycle.scope.map { NumberInLog(log: Int(lifecycle.log), number: $0) }
      })
    json.array("scopes") { json in
      for scope in log.scopes
      where excerpt.times.overlaps(scope.begin, scope.end) || used.contains(NumberInLog(scope)) {
        json.object(onOneLine: true) { json in
          json.integer("number", scope.number)
          json.integer("log", scope.log)
          if let name = scope.name { json.string("name", text(name)) }
          if let begin = scope.begin { json.integer("start", begin.count) }
          if let end = scope.end { json.integer("end", end.count) }
        }
      }
    }
  }
}

extension Damage.Kind {
  fileprivate var word: String {
    switch self {
    case .malformed: "malformed"
    case .incomplete: "incomplete"
    case .tooLong: "too-long"
    case .torn: "torn"
    case .missingHeader: "missing-header"
    case .missingSubscribe: "missing-subscribe"
    case .duplicateSubscribe: "duplicate-subscribe"
    case .afterLogEnd: "after-log-end"
    case .repeated: "repeated"
    case .beforeGap: "before-gap"
    case .packingCut: "packing-cut"
    case .packingDamaged: "packing-damaged"
    case .packingTrailed: "packing-trailed"
    }
  }
}
