import TraceAnalysis
import TraceFormat

// The results of the analysis: a summary of each lane, and the findings of the rules.
extension JSONReport {
  func writeLanes(_ json: inout JSONWriter) {
    json.array("lanes") { json in
      for lane in options.sort(LaneSummary.lanes(of: figures)) {
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

  func writeFindings(_ json: inout JSONWriter) {
    json.array("findings") { json in
      for finding in excerpt.findings(verdict.findings) { write(finding, &json) }
    }
  }

  private func write(_ finding: Finding, _ json: inout JSONWriter) {
    let site = log.lifecycles[finding.lifecycle].site
    json.object { json in
      json.string("rule", finding.rule)
      json.string("level", finding.level.rawValue)
      json.bool("proven", finding.isProven)
      writeSite(site, &json)
      json.string("sentence", sentence(finding.sentence))
      json.string("fingerprint", Fingerprint(finding, in: log).digest)
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
