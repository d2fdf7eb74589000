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

  /// Writes the findings, batch by batch on all processors. A log may have a million.
  ///
  /// - Parameter flush: A function that may write the bytes that were gathered to the output.
  func writeFindings(_ json: inout JSONWriter, _ flush: (inout JSONWriter) -> Void = { _ in }) {
    let findings = excerpt.findings(verdict.findings)
    json.array("findings") { json in
      var start = 0
      while start < findings.count {
        let rest = findings[start...]
        let batches = (0..<Processors.count).map { number in
          rest.dropFirst(number * Self.batch).prefix(Self.batch)
        }.filter { !$0.isEmpty }
        let parts = (json.part(isFirst: true), json.part(isFirst: false))
        let written = Processors.map(batches.count) { number in
          var part = number == 0 ? parts.0 : parts.1
          var digests = FingerprintDigests()
          for finding in batches[number] { write(finding, &digests, &part) }
          return part
        }
        for part in written {
          json.append(part)
          flush(&json)
        }
        start += batches.reduce(0) { $0 + $1.count }
      }
    }
  }

  /// The number of findings that one processor writes at a time.
  private static let batch = 500

  private func write(
    _ finding: Finding, _ digests: inout FingerprintDigests, _ json: inout JSONWriter
  ) {
    let site = log.lifecycles[finding.lifecycle].site
    json.object { json in
      json.string("rule", finding.rule)
      json.string("level", finding.level.rawValue)
      json.bool("proven", finding.isProven)
      writeSite(site, &json)
      json.string("sentence", sentence(finding.sentence))
      json.string("fingerprint", digests.digest(of: finding, in: log))
      FindingJSON(log: log, text: text).write(finding, to: &json)
      json.array("subscriptions", onOneLine: true) { json in
        for index in finding.members {
          json.object { json in
            json.integer("id", log.lifecycles[index].id.number)
            json.integer("log", log.lifecycles[index].log)
          }
        }
      }
    }
  }

  private func sentence(_ phrase: FindingMessage) -> String {
    let duration = DurationText(isASCII: false)
    return phrase.text(
      text: { text($0) }, duration: { duration($0) }, count: { CountText.make($0, $1) })
  }
}
