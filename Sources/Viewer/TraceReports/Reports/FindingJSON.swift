import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The members of a finding that all JSON formats share.
///
///     id                          the short id, which `explain` and `--finding` take
///     rule, level, proven
///     sentence                    the problem in words
///     lane, source, function, type
///                                 the lane
///     path, line                  where the subscription was observed, else its lane; in the
///                                 repository, or in the log if the source is not known
///     advice                      what to do, in one line
///     origins                     the different ways in which the program came there, in the order
///                                 of time: calls, which are function, path and line, innermost
///                                 first; and test, which is name, path and line of the test that
///                                 ran
///     fingerprint                 16 digits, equal for findings that the baseline treats as one
///     subscriptions               those that the finding is about:
///       rule, proven, sentence, lane, source, function, type
///                                 of this subscription
///       log, subscription         the index of the log, from 0, and the number in that log
///       others                    subscriptions of the same log that only together with this one
///                                 have the problem
///       start, age, elements
///       recorded                  file and line of the first record
///       advice, observed          what to do; source and function
///       consequences              subscription, lane, source, function and age of those that
///                                 have the problem only because of this one
///       cause                     subscription, lane and time of the event that made it
///       retention                 why it is alive. kind, proof, steps, tail, break, owner,
///                                 searched and reason have the meanings of the log; path,
///                                 details, sites, advice, holder and note are the same in
///                                 words; breakAt is the path, line and column of the step to
///                                 break
///       objects                   leaked objects: count, bytes, members and held, which are lists
///                                 of class, count and bytes
///       madeFor                   subscription, lane and source of those downstream, nearest
///                                 first
struct FindingJSON {
  let log: LogAnalysis
  /// Finds files in the repository. Without it, files have the names of the log.
  var sources: SourceLocator?
  /// Makes text from the log suitable for the readers.
  var text: (String) -> String = { $0 }

  /// The page for sentences, which may have lines of any length.
  private static let page = Page(width: .max / 2, glyphs: .unicode)
  private static let maxAncestors = 16

  /// Returns the number of subscriptions that findings are about, without leaked objects.
  static func subscriptions(of groups: [FindingGroup], in log: LogAnalysis) -> Int {
    let members = groups.lazy.flatMap { $0.findings.lazy.flatMap(\.members) }
    return Set(members.filter { !log.lifecycles[$0].isObject }).count
  }

  /// Writes the members of a finding, except for its subscriptions.
  func writeHead(of group: FindingGroup, to json: inout JSONWriter) {
    let words = FindingWords(log: log, page: Self.page)
    json.string("id", group.id.description)
    json.string("rule", group.fingerprint.rule)
    json.string("level", group.level.rawValue)
    json.bool("proven", group.isProven)
    json.string("sentence", text(words.message(of: group)))
    write(group.site, to: &json)
    if group.lanes.count > 1 {
      json.array("lanes") { json in
        for lane in group.lanes { json.string(nil, text(lane)) }
      }
    }
    let first = group.findings.first?.lifecycle ?? 0
    let location = FindingLocation(of: first, in: log, sources ?? .none)
    json.string("path", text(location.path))
    json.integer("line", location.line)
    json.string("advice", text(group.findings.first?.advice ?? ""))
    json.string("fingerprint", group.fingerprint.digest)
    writeOrigins(of: group, to: &json)
  }

  /// The maximum number of origins of a finding. Each test that calls the same code is another one.
  private static let maxOrigins = 20

  private func writeOrigins(of group: FindingGroup, to json: inout JSONWriter) {
    let origins = log.origins(of: group)
    guard !origins.isEmpty else { return }
    json.array("origins") { json in
      for origin in origins.prefix(Self.maxOrigins) {
        json.object { json in
          if let test = origin.test {
            json.object("test", onOneLine: true) {
              $0.string("name", text(test.name))
              writeLocation(test.source, to: &$0)
            }
          }
          guard !origin.calls.isEmpty else { return }
          json.array("calls") { json in
            for call in origin.calls {
              json.object(onOneLine: true) {
                if let function = call.function { $0.string("function", text(function)) }
                writeLocation(call.source, to: &$0)
              }
            }
          }
        }
      }
    }
  }

  /// Writes the path and the line of a source location.
  private func writeLocation(_ source: String?, to json: inout JSONWriter) {
    guard let place = source.map({ ObservedPlace(source: $0) }), let file = place.file else {
      return
    }
    json.string("path", text(sources?.path(ofSource: file) ?? file))
    if let line = place.line { json.integer("line", line) }
  }

  func writeSubscriptions(of group: FindingGroup, to json: inout JSONWriter) {
    json.array("subscriptions") { json in
      var known: WrittenSite?
      for finding in group.findings {
        json.object { writeSubscription(of: finding, &known, to: &$0) }
      }
    }
  }

  /// The members about a site, for the next subscription with the same site.
  private struct WrittenSite {
    let site: Site
    let members: JSONWriter
  }

  private func write(_ site: Site, _ known: inout WrittenSite?, to json: inout JSONWriter) {
    if let known, known.site === site { return json.append(known.members) }
    var members = json.part(isFirst: false)
    write(site, to: &members)
    json.append(members)
    known = WrittenSite(site: site, members: members)
  }

  /// Returns the sentence about one subscription.
  func sentence(of finding: Finding) -> String {
    text(Self.page.sentence(finding.sentence))
  }

  private func write(_ site: Site, to json: inout JSONWriter) {
    json.string("lane", text(site.lane))
    if let source = site.source { json.string("source", text(source)) }
    if let function = site.function { json.string("function", text(function)) }
    if let type = site.type { json.string("type", text(type)) }
  }

  private func writeSubscription(
    of finding: Finding, _ known: inout WrittenSite?, to json: inout JSONWriter
  ) {
    let lifecycle = log.lifecycles[finding.lifecycle]
    json.string("rule", finding.rule)
    json.bool("proven", finding.isProven)
    json.string("sentence", sentence(of: finding))
    write(lifecycle.site, &known, to: &json)
    json.integer("log", lifecycle.log)
    json.integer("subscription", lifecycle.id.number)
    if !finding.others.isEmpty {
      json.array("others", onOneLine: true) { json in
        for other in finding.others { json.integer(nil, log.lifecycles[other].id.number) }
      }
    }
    json.integer("start", lifecycle.start.count)
    json.integer("age", log.age(of: lifecycle).count)
    json.integer("elements", lifecycle.elements)
    json.object("recorded", onOneLine: true) {
      $0.string("file", text(log.files[lifecycle.firstLocation.file].name))
      $0.integer("line", lifecycle.firstLocation.line)
    }
    write(finding, to: &json)
    let ancestors = log.ancestors(of: lifecycle, maxCount: Self.maxAncestors)
    guard !ancestors.isEmpty else { return }
    json.array("madeFor") { json in
      for index in ancestors {
        let parent = log.lifecycles[index]
        json.object(onOneLine: true) {
          $0.integer("subscription", parent.id.number)
          $0.string("lane", text(parent.site.lane))
          if let source = parent.site.source { $0.string("source", text(source)) }
        }
      }
    }
  }

  /// Writes what to do about one subscription, where it was observed, what leaks with it, what made
  /// it, what keeps it alive and which objects leak.
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
          ("path", RetentionWords.name), ("details", RetentionWords.detail),
          ("sites", { $0.site ?? "" }), ("nodes", RetentionWords.node),
          ("edges", RetentionWords.edge),
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
      let sentences = [
        ("advice", RetentionWords.remedy(retention)?.text),
        ("holder", RetentionWords.holder(retention)), ("note", RetentionWords.note(retention)),
      ]
      for (key, sentence) in sentences {
        if let sentence { json.string(key, text(sentence)) }
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
