import TraceAnalysis
import TraceFormat
import ViewerConsole

// The results of the analysis: a summary of each lane, and the findings of the rules.
extension JSONReport {
  func writeLanes(_ json: inout JSONWriter) {
    json.array("lanes") { json in
      for lane in options.sort(LaneSummary.lanes(of: figures.ofSubscriptions)) {
        json.object(onOneLine: true) { json in
          json.string("lane", text(lane.lane))
          json.integer("subscriptions", lane.subscriptions)
          json.integer("started", lane.started)
          for state in Lifecycle.State.allCases { json.integer("\(state)", lane[state]) }
          json.integer("elements", lane.elements)
          guard let lives = lane.lives else { return }
          json.object("lives") { json in
            json.integer("shortest", lives.shortest.count)
            json.integer("median", lives.median.count)
            json.integer("longest", lives.longest.count)
          }
        }
      }
    }
  }

  /// Writes the findings, batch by batch on all processors. They may have a million subscriptions.
  ///
  /// - Parameter flush: A function that may write the bytes that were gathered to the output.
  func writeFindings(_ json: inout JSONWriter, _ flush: (inout JSONWriter) -> Void) {
    let groups = verdict.groups(of: excerpt)
    json.array("findings") { json in
      for batches in Self.batches(groups) {
        let parts = (json.part(isFirst: true), json.part(isFirst: false))
        let written = Processors.map(batches.count) { number in
          var part = number == 0 ? parts.0 : parts.1
          for group in groups[batches[number]] { write(group, &part) }
          return part
        }
        for part in written {
          json.append(part)
          flush(&json)
        }
      }
    }
  }

  /// The number of subscriptions that one processor writes at a time.
  private static let batch = 500

  /// Returns the ranges of findings that are written at a time, one for each processor.
  private static func batches(_ groups: [FindingGroup]) -> [[Range<Int>]] {
    var batches: [Range<Int>] = []
    var start = 0
    var size = 0
    for index in groups.indices {
      size += groups[index].findings.count
      guard size >= batch || index == groups.count - 1 else { continue }
      batches.append(start..<index + 1)
      (start, size) = (index + 1, 0)
    }
    return stride(from: 0, to: batches.count, by: Processors.count).map { first in
      Array(batches[first..<min(first + Processors.count, batches.count)])
    }
  }

  private func write(_ group: FindingGroup, _ json: inout JSONWriter) {
    let finding = FindingJSON(log: log, text: text)
    json.object { json in
      finding.writeHead(of: group, to: &json)
      finding.writeSubscriptions(of: group, to: &json)
    }
  }
}
