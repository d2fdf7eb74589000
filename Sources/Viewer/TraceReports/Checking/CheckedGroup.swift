import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The findings of one rule at one location, with text for any output format. The text is safe to
/// show and short enough to read.
struct CheckedGroup {
  let group: FindingGroup
  /// A Boolean value that indicates whether the group makes the run fail.
  let fails: Bool
  /// The place where the subscription was observed or, if that is not known, of its lane.
  let location: Location
  private let log: LogAnalysis
  let sources: SourceLocator

  typealias Location = FindingLocation

  /// The page for text that a service shows instead of a terminal.
  static let page = Page(width: 100, glyphs: .unicode)
  private static let maxColumns = 160

  init(
    _ suspects: FindingGroup, _ log: LogAnalysis, _ failOn: Verdict.FailOn,
    _ sources: SourceLocator
  ) {
    group = suspects
    fails = suspects.findings.contains(where: failOn.isFailed)
    location = Location(of: suspects.findings.first?.lifecycle ?? 0, in: log, sources)
    self.log = log
    self.sources = sources
  }

  var id: FindingID { group.id }
  var fingerprint: Fingerprint { group.fingerprint }
  var findings: FindingList { group.findings }
  var severity: Severity { group.severity }
  /// The path of the location.
  var path: String { location.path }
  /// The line of the location.
  var line: Int { location.line }

  /// Returns the source files that reports about some findings name.
  static func files(of findings: some Collection<Finding>, in log: LogAnalysis) -> Set<String> {
    var files: Set<String> = []
    var places = DistinctPlaces(log)
    var related = DistinctPlaces(log)
    for finding in findings {
      // What keeps a subscription alive has places of its own.
      if finding.retention != nil || places.insert(finding.lifecycle) {
        files.formUnion(EditLocation.files(of: finding, in: log))
      }
      for index in finding.consequences.prefix(maxRelated) where related.insert(index) {
        if let file = log.lifecycles[index].site.file { files.insert(file) }
      }
    }
    return files
  }

  // MARK: Places

  /// The maximum number of places in addition to the location of the group.
  static let maxRelated = 20

  /// A step on the path that keeps the subscription alive.
  struct Step {
    /// The index among all steps. A long path is not shown completely.
    let index: Int
    let location: Location
    let words: String
    /// A Boolean value that indicates whether this is the step to break.
    let isBreak: Bool
  }

  /// The place of the step to break, with what to do there. It is nil if the place isn't known.
  var fix: (location: Location, words: String)? {
    guard let retention = findings.first?.retention, let step = retention.breakStep,
      let place = Location(of: step, sources)
    else { return nil }
    return (place, cut(RetentionWords.remedy(retention)?.text ?? RetentionWords.mark))
  }

  /// The places of the lanes: of the subscription itself, and of what leaks with it.
  var related: [(location: Location, words: String)] {
    guard let first = findings.first else { return [] }
    var known = [location]
    var related: [(location: Location, words: String)] = []
    func add(_ index: Int, _ words: (String) -> String) {
      let lifecycle = log.lifecycles[index]
      guard related.count < CheckedGroup.maxRelated,
        let location = Location(ofLane: lifecycle.site, sources), !known.contains(location)
      else { return }
      known.append(location)
      related.append((location, words(shown(lifecycle.site.lane))))
    }
    add(first.lifecycle) { "lane \($0)" }
    for index in findings.lazy.flatMap(\.consequences).prefix(CheckedGroup.maxRelated * 10) {
      add(index) { "\($0) \(severity == .unproven ? "is active" : "leaks") with it" }
    }
    return related
  }

  /// The steps that keep the subscription alive, each with its place. A step without a place of its
  /// own has that of the group, because services need one.
  var steps: [Step] {
    guard let first = findings.first, let retention = first.retention else { return [] }
    let words = FindingWords(log: log, page: CheckedGroup.page)
    let number = Int(log.lifecycles[first.lifecycle].log)
    return FindingWords.shownSteps(of: retention).compactMap { part in
      guard case .step(let index) = part else { return nil }
      let step = retention.steps[index]
      let detail = words.detail(of: step, log: number)
      let mark = index == retention.breakIndex ? "  " + words.mark(retention) : ""
      let text = cut(words.name(of: step)) + (detail.isEmpty ? "" : ": " + cut(detail)) + cut(mark)
      return Step(
        index: index, location: Location(of: step, sources) ?? location, words: text,
        isBreak: index == retention.breakIndex)
    }
  }

  // MARK: Words

  var lane: String {
    cut(FindingWords(log: log, page: CheckedGroup.page).lanes(of: group))
  }
  /// The function of the location.
  var function: String {
    let observed = findings.first.flatMap { log.observed(of: log.lifecycles[$0.lifecycle]) }
    // Without its source, the location is that of the lane.
    return shown(observed?.source == nil ? fingerprint.function : observed?.function ?? "")
  }
  var title: String { "\(fingerprint.rule) \(id): \(lane)" }

  /// The name of the group. It does not change when code moves, so that a service can keep a
  /// history of it.
  var name: String {
    let location = [location.path, function].filter { !$0.isEmpty }.map(shown)
    // The names and the number of several lanes of one line are others in each run.
    let lane = group.lanes.count > 1 ? "several lanes" : lane
    return (location.isEmpty ? lane : "\(lane) (\(location.joined(separator: " ")))") + " \(id)"
  }

  /// The sentence about the finding.
  var sentence: String { FindingWords(log: log, page: CheckedGroup.page).message(of: group) }

  /// The sentence, with the reason why the finding isn't proven.
  var message: String {
    sentence + doubt
  }

  /// The reason why the finding isn't proven, or nothing if it is.
  private var doubt: String {
    guard severity == .unproven else { return "" }
    return findings.allSatisfy(\.isNeverProven)
      ? " (not proven: a part of the process could not be searched)"
      : " (not proven: the log is incomplete)"
  }

  /// The sentences about what retains the subscription and what to do, after the message.
  var remarks: [String] {
    guard let first = findings.first else { return [] }
    let words = FindingWords(log: log, page: CheckedGroup.page)
    let origins = words.origins(of: group).map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
    let sentences = first.retention.map { words.sentences($0, of: first) } ?? []
    return ((origins + sentences).map(cut) + [advice]).filter { !$0.isEmpty }
  }

  /// The remedy, in one sentence.
  var advice: String { findings.first.map { shown($0.advice) } ?? "" }

  /// The cells of the row of a table in Markdown.
  var cells: [String] {
    let place = "\(path):\(line)" + (function.isEmpty ? "" : " \(function)")
    return markdown.cells(group, place: place, doubt: doubt)
  }

  /// What keeps the subscriptions alive, as a list in Markdown.
  var pathAsMarkdown: [String] { markdown.path(group) }

  private var markdown: FindingMarkdown { FindingMarkdown(log: log, page: CheckedGroup.page) }

  /// A Boolean value that indicates whether the findings are about leaked objects.
  var isAboutObjects: Bool {
    findings.first.map { log.lifecycles[$0.lifecycle].isObject } ?? false
  }

  /// The lines that a terminal would show below the sentence.
  var explanation: [String] {
    FindingWords(log: log, page: CheckedGroup.page).origins(of: group)
      + FindingsView(log, [group], sources: sources).details(of: group, CheckedGroup.page)
      .map { $0.render(color: false, setsColumn: false) }
  }

  /// The full text that a terminal would show for the group.
  var details: String {
    FindingsView(log, [group], sources: sources).lines(CheckedGroup.page)
      .map { $0.render(color: false, setsColumn: false) }.joined(separator: "\n")
  }

  private func shown(_ text: String) -> String {
    cut(CheckedGroup.page.safe(text))
  }

  private func cut(_ text: String) -> String {
    CheckedGroup.page.cutMiddle(text, to: CheckedGroup.maxColumns)
  }
}
