import TraceAnalysis
import TraceFormat
import TraceWords

/// The members of a finding that all JSON formats share: what to do, where it was observed, what
/// leaks with it, what made it and what keeps it alive.
struct FindingJSON {
  let log: LogAnalysis
  /// Makes texts of the log fit for the readers.
  var text: (String) -> String = { $0 }

  func write(_ finding: Finding, to json: inout JSONWriter) {
    let lifecycle = log.lifecycles[finding.lifecycle]
    json.string("advice", text(finding.advice))
    if let place = log.observed(of: lifecycle) {
      json.object("observed", onOneLine: true) {
        if let source = place.source { $0.string("source", text(source)) }
        if let function = place.function { $0.string("function", text(function)) }
      }
    }
    if !finding.consequences.isEmpty {
      json.array("consequences") { json in
        for index in finding.consequences {
          let consequence = log.lifecycles[index]
          json.object(onOneLine: true) {
            $0.integer("subscription", consequence.id.number)
            $0.string("lane", text(consequence.site.lane))
            if let source = consequence.site.source { $0.string("source", text(source)) }
            if let function = consequence.site.function { $0.string("function", text(function)) }
            $0.integer("age", log.age(of: consequence).count)
          }
        }
      }
    }
    if let cause = log.cause(of: finding) {
      json.object("cause", onOneLine: true) {
        $0.integer("subscription", cause.subscription.number)
        if let index = cause.lifecycle { $0.string("lane", text(log.lifecycles[index].site.lane)) }
        $0.integer("time", cause.time.count)
      }
    }
    if let retention = finding.retention { write(retention, to: &json) }
  }

  /// Writes a retention with the keys of the log.
  private func write(_ retention: Retention, to json: inout JSONWriter) {
    json.object("retention") { json in
      json.string(LogFormat.Key.kind.rawValue, retention.kind.rawValue)
      if !retention.steps.isEmpty {
        let proof: LogFormat.RetentionProof = retention.isProbable ? .probable : .certain
        json.string(LogFormat.Key.proof.rawValue, proof.rawValue)
        let lists: [(LogFormat.Key, (Retention.Step) -> String)] = [
          (.path, \.what), (.details, \.detail), (.sites, { $0.site ?? "" }),
        ]
        for (key, part) in lists {
          json.array(key.rawValue) { json in
            for step in retention.steps { json.string(nil, text(part(step))) }
          }
        }
        json.integer(LogFormat.Key.tail.rawValue, retention.tail)
      }
      if let index = retention.breakIndex {
        json.integer(LogFormat.Key.breakIndex.rawValue, index)
      }
      let sentences: [(LogFormat.Key, String?)] = [
        (.advice, retention.advice), (.holder, retention.holder), (.note, retention.note),
      ]
      for (key, sentence) in sentences {
        if let sentence { json.string(key.rawValue, text(sentence)) }
      }
    }
  }
}
