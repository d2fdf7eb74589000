import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The members of a finding that all JSON formats share: what to do, where it was observed, what
/// leaks with it, what made it, what keeps it alive and which objects leak.
struct FindingJSON {
  let log: LogAnalysis
  /// Finds files in the repository. Without it, files have the names of the log.
  var sources: SourceLocator?
  /// Makes text from the log suitable for the readers.
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
    if let objects = log.leakedObjects(of: finding.lifecycle) { write(objects, to: &json) }
  }

  private func write(_ objects: LeakedObjects, to json: inout JSONWriter) {
    json.object("objects") { json in
      json.integer("count", objects.count)
      json.integer("bytes", objects.bytes)
      for (key, classes) in [("members", objects.members), ("held", objects.held)] {
        json.array(key) { json in
          for item in classes {
            json.object(onOneLine: true) {
              $0.string("class", text(item.name))
              $0.integer("count", item.count)
              $0.integer("bytes", item.bytes)
            }
          }
        }
      }
    }
  }

  /// The number of steps up to which a page shows all of them at first.
  static let maxShownSteps = 24

  /// Writes a retention: its facts with the keys of the log, and the same in words.
  private func write(_ retention: Retention, to json: inout JSONWriter) {
    json.object("retention") { json in
      json.string(LogFormat.Key.kind.rawValue, retention.kind.rawValue)
      if !retention.steps.isEmpty {
        let proof: LogFormat.RetentionProof = retention.isProbable ? .probable : .certain
        json.string(LogFormat.Key.proof.rawValue, proof.rawValue)
        json.array(LogFormat.Key.steps.rawValue) { json in
          for step in retention.steps { write(step, to: &json) }
        }
        let shown = retention.excerpt(max: FindingJSON.maxShownSteps).compactMap { part in
          if case .step(let index) = part { index } else { nil }
        }
        if shown.count < retention.steps.count {
          json.array("shown", onOneLine: true) { json in
            for index in shown { json.integer(nil, index) }
          }
        }
        let lists: [(String, (Retention.Step) -> String)] = [
          (LogFormat.Key.path.rawValue, RetentionWords.name),
          (LogFormat.Key.details.rawValue, RetentionWords.detail),
          (LogFormat.Key.sites.rawValue, { $0.site ?? "" }),
          ("nodes", RetentionWords.node), ("edges", RetentionWords.edge),
        ]
        for (key, part) in lists {
          json.array(key) { json in
            for step in retention.steps { json.string(nil, text(part(step))) }
          }
        }
        json.integer(LogFormat.Key.tail.rawValue, retention.tail)
      }
      if let index = retention.breakIndex {
        json.integer(LogFormat.Key.breakIndex.rawValue, index)
      }
      if let site = retention.breakStep?.site {
        json.object("breakAt", onOneLine: true) { json in
          write(SourceText(site), column: retention.breakStep?.column, to: &json)
        }
      }
      if let owner = retention.owner { json.string(LogFormat.Key.owner.rawValue, owner.rawValue) }
      if case .searched(let bytes)? = retention.limit {
        json.integer(LogFormat.Key.searched.rawValue, bytes)
      }
      if let reason = retention.limit?.reason {
        json.string(LogFormat.Key.reason.rawValue, reason)
      }
      let sentences: [(LogFormat.Key, String?)] = [
        (.advice, RetentionWords.remedy(retention)?.text),
        (.holder, RetentionWords.holder(retention)), (.note, RetentionWords.note(retention)),
      ]
      for (key, sentence) in sentences {
        if let sentence { json.string(key.rawValue, text(sentence)) }
      }
    }
  }

  private func write(_ step: Retention.Step, to json: inout JSONWriter) {
    json.object(onOneLine: true) { json in
      for (key, value) in step.members {
        switch value {
        case .text(let words): json.string(key.rawValue, text(words))
        case .integer(let number): json.integer(key.rawValue, number)
        }
      }
    }
  }

  /// Writes a place in the source, with the path in the repository if the file is found there.
  private func write(_ place: SourceText, column: Int?, to json: inout JSONWriter) {
    json.string("path", text(sources?.path(ofSource: place.file) ?? place.file))
    if let line = place.line { json.integer("line", line) }
    if let column { json.integer("column", column) }
  }
}
