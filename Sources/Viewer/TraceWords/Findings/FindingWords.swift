package import TerminalUI
package import TraceAnalysis
package import TraceFormat
package import ViewerConsole

/// The words about findings that all formats share. All of them are safe to display.
package struct FindingWords {
  package let log: LogAnalysis
  package let page: Page

  package init(log: LogAnalysis, page: Page) {
    self.log = log
    self.page = page
  }

  /// The maximum number of lanes that a sentence names, and of columns that each may take.
  private static let maxLanes = 4
  private static let maxClasses = 8
  private static let laneWidth = 40
  private static let sentenceWidth = 160

  // MARK: Lines

  /// Returns text of the log that may start a line. CI services interpret some line starts as
  /// commands.
  package static func beginning(_ text: String) -> String {
    let start = text.drop { $0 == " " }
    return start.hasPrefix("::") || start.hasPrefix("##") ? "'" + text : text
  }

  /// Returns a sentence that contains text from the log, wrapped between words.
  package func wrap(_ sentence: String, _ style: Style = .plain, indent: Int) -> [Line] {
    page.flow(
      sentence.split(separator: " ").map { Line(FindingWords.beginning(String($0)), style) },
      separator: " ", first: Line(DisplayWidth.spaces(indent)), indent: indent)
  }

  // MARK: Where

  /// Returns the place where a subscription was observed, or where a task was made, in words; `nil`
  /// if unknown.
  ///
  /// Omits the module and the arguments of the function, because they make the line long, and the
  /// file and line identify the place.
  package func observed(
    _ place: ObservedPlace?, isTask: Bool
  ) -> (place: String, function: String?)? {
    guard let place, place.source != nil || place.function != nil else { return nil }
    let function = place.function.map { page.safeBeginning(FindingWords.withoutArguments($0)) }
    let verb = isTask ? "made" : "observed"
    guard let source = place.source else { return ("\(verb) in \(function ?? "?")", nil) }
    return ("\(verb) at \(page.safeBeginning(FindingWords.withoutFolders(source)))", function)
  }

  /// Returns the name of the lane of a finding, with the number of other lanes at the same line.
  ///
  /// - Parameter width: The maximum number of columns of the name.
  package func lanes(of group: FindingGroup, width: Int = .max / 2) -> String {
    let name = page.cutMiddle(page.safe(group.site.lane), to: width)
    let others = group.lanes.count - 1
    return others > 0 ? "\(name) and \(CountText.make(others, "more lane"))" : name
  }

  private static func withoutFolders(_ source: String) -> String {
    let name = source.split(separator: "/", omittingEmptySubsequences: false).last
    return name.map { $0.isEmpty ? source : String($0) } ?? source
  }

  private static func withoutArguments(_ function: String) -> String {
    let name = function.prefix { $0 != "(" }
    return name.isEmpty || name.count == function.count ? function : String(name)
  }

  // MARK: What

  /// Returns the sentence about a finding, which is the same in every output, without a period.
  package func message(of group: FindingGroup) -> String {
    let along = consequences(of: group.findings).map { "; \($0.count) (\($0.lanes))" } ?? ""
    return sentence(of: group) + along
  }

  /// Returns the beginning of the sentence about a finding, without what leaks with it.
  package func sentence(of group: FindingGroup) -> String {
    guard let first = group.findings.first else { return "" }
    if let cycle = cycleSentence(of: group.findings) { return cycle }
    let others = group.findings.count - 1
    let more = others > 0 ? ", and \(CountText.number(others)) more" : ""
    return page.cutMiddle(page.sentence(first.sentence), to: FindingWords.sentenceWidth) + more
  }

  /// Returns the sentence about the subscriptions that a retain cycle keeps alive; `nil` if the
  /// findings are about something else.
  private func cycleSentence(of findings: FindingList) -> String? {
    guard let first = findings.first, first.isCycle else { return nil }
    guard !log.lifecycles[first.lifecycle].isObject else {
      let others = findings.count - 1
      return page.sentence(first.sentence)
        + (others > 0 ? ", and \(CountText.number(others)) more" : "")
    }
    let cycles = findings.count(where: \.isCycle)
    let count = CountText.make(cycles, "subscription")
    let verb = cycles == 1 ? "is" : "are"
    let others = findings.count - cycles
    let more =
      others > 0
      ? ", and \(CountText.number(others)) more of this place \(others == 1 ? "is" : "are") active"
      : ""
    return "\(count) \(verb) kept alive by a cycle\(more)"
  }

  /// Returns sentences with the objects of a finding by class; an empty array if the finding is
  /// about subscriptions.
  package func objects(of finding: Finding) -> [String] {
    // The sentence of a finding about growth has the number of instances.
    guard let objects = log.leakedObjects(of: finding.lifecycle), objects.scope == nil else {
      return []
    }
    let lead =
      finding.isCycle ? objects.count == 1 ? "on the cycle" : "on the cycles" : "without a holder"
    let isOne = objects.members.reduce(0) { $0 + $1.count } == 1
    let held = isOne ? "kept alive by it" : "kept alive by them"
    return [(lead, objects.members), (held, objects.held)].compactMap {
      lead, classes in
      guard !classes.isEmpty else { return nil }
      let names = classes.prefix(Self.maxClasses).map { item in
        let name = item.name.isEmpty ? "memory" : Self.beginning(page.safeBeginning(item.name))
        return "\(CountText.number(item.count)) \(name) (\(CountText.make(item.bytes, "byte")))"
      }
      let more = classes.count - names.count
      return "\(lead): \(names.joined(separator: ", "))"
        + (more > 0 ? ", and \(CountText.make(more, "other class", "other classes"))" : "")
    }
  }

  /// Returns the number of the consequences in words, and the names of their lanes; `nil` if there
  /// aren't any.
  package func consequences(of findings: some Collection<Finding>) -> (
    count: String, lanes: String
  )? {
    let count = findings.reduce(0) { $0 + $1.consequences.count }
    guard count > 0 else { return nil }
    let them = findings.count == 1 && findings.first?.others.isEmpty == true ? "it" : "them"
    // An incomplete log doesn't prove a leak.
    let isProven = findings.contains(where: \.isProven)
    let verb = isProven ? count == 1 ? "leaks" : "leak" : count == 1 ? "is active" : "are active"
    let lanes = log.lanes(of: findings.lazy.flatMap(\.consequences))
    let kind = kind(ofConsequences: findings.lazy.flatMap(\.consequences))
    let names = lanes.prefix(FindingWords.maxLanes).map {
      page.cutMiddle(page.safeBeginning($0), to: FindingWords.laneWidth)
    }
    let more = lanes.count > names.count ? ", ..." : ""
    return (
      "\(CountText.make(count, kind)) \(verb) with \(them)",
      names.joined(separator: ", ") + more
    )
  }

  /// Returns the word for one of the consequences: either all of them are upstream, or some are
  /// only retained.
  package func kind(ofConsequences indices: some Sequence<Int>) -> String {
    indices.allSatisfy(log.isMadeForActive) ? "upstream subscription" : "other subscription"
  }

  /// Returns a sentence about the event that made the subscription; `nil` if the log doesn't have
  /// it.
  package func cause(of finding: Finding) -> String? {
    guard let cause = log.cause(of: finding) else { return nil }
    let name =
      cause.lifecycle.map { index in
        let lane = page.safeBeginning(log.lifecycles[index].site.lane)
        return "\(page.cutMiddle(lane, to: 60)) (\(cause.subscription))"
      } ?? "\(cause.subscription)"
    return "made by an event of \(name) at \(page.duration(cause.time))"
  }

  // MARK: Why

  /// The maximum number of steps of a path that text shows.
  private static let maxSteps = 20

  /// Returns the steps of a path to show.
  package static func shownSteps(of retention: Retention) -> [Retention.Excerpt] {
    retention.excerpt(max: maxSteps)
  }

  /// Returns the words before a path that isn't about a retain-cycle finding; `nil` if there isn't
  /// a path.
  package func lead(_ retention: Retention) -> String? {
    guard !retention.steps.isEmpty else { return nil }
    let kind = retention.isProbable ? "It is probably kept alive" : "It is kept alive"
    return retention.isCycle ? "\(kind) by a cycle" : "\(kind) by"
  }

  /// Returns the details of a step of a path. For a subscription of the log, they include its
  /// figures.
  package func detail(of step: Retention.Step, log number: Int) -> String {
    let detail = page.safeBeginning(RetentionWords.detail(of: step))
    guard let id = step.subscription, let index = log.index(of: id, log: number) else {
      return detail
    }
    let lifecycle = log.lifecycles[index]
    let elements = CountText.make(lifecycle.elements, "element")
    let state =
      lifecycle.isActive
      ? "active for \(page.duration(log.age(of: lifecycle)))" : "\(lifecycle.state)"
    return "\(detail), \(state), \(elements)"
  }

  package func name(of step: Retention.Step) -> String {
    let name = RetentionWords.name(of: step)
    return name.isEmpty ? "?" : FindingWords.beginning(page.safeBeginning(name))
  }

  /// Returns the words next to the step to break, with the remedy as brief as possible.
  package func mark(_ retention: Retention) -> String {
    let mark = "<- \(RetentionWords.mark)"
    guard let remedy = RetentionWords.remedy(retention) else { return mark }
    return "\(mark): \(page.safeBeginning(remedy.brief))"
  }

  /// Reports whether the mark at the step to break contains the whole remedy.
  package func isRemedyInMark(of retention: Retention) -> Bool {
    retention.breakIndex != nil && RetentionWords.remedy(retention)?.isBrief ?? true
  }

  /// Returns the sentence about the disposable, and the sentence about the limits of the search.
  package func sentences(_ retention: Retention, of finding: Finding) -> [String] {
    // A cycle without a tail goes through the subscription, so its steps show what retains it.
    let holder = finding.isCycle && retention.tail == 0 ? nil : RetentionWords.holder(retention)
    return [holder, RetentionWords.note(retention)]
      .compactMap { $0.map { page.safeBeginning($0) } }
  }
}

extension Page {
  /// Returns the sentence of a finding.
  package func sentence(_ phrase: FindingMessage) -> String {
    phrase.text(text: { safe($0) }, duration: { duration($0) }, count: { CountText.make($0, $1) })
  }
}
