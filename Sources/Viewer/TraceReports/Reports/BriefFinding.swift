import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A finding as JSON of at most 400 tokens, for a reader with little room.
///
///     id, rule, severity
///     place, function             the file and line to show, and its function
///     lane, sentence, fix         the lane, the problem, and what to do
///     lanes                       the number of lanes at the line, if there are several
///     edit                        path, line and, if known, column of the line to edit, and its
///                                 source
///     subscriptions               how many the finding is about
///     origins                     the calls and the tests that made them
///     holder                      who could dispose the first of them
///     keptAliveBy, break          the steps that keep it alive, each of which keeps the next one,
///                                 and the index of the step to break
///     leaksWith                   the lanes that leak with it
///     examples                    the first subscriptions: number, beginning, age, first record
///     values                      only if asked for: the last elements, between two fences
struct BriefFinding {
  /// The usual number of bytes of a token.
  static let bytesPerToken = 4
  static let maxTokens = 400

  let log: LogAnalysis
  let sources: SourceLocator
  /// The fence around values of the log; nil to leave values out.
  let fence: ValueFence?

  private static let page = Page(width: 100, glyphs: .unicode)

  /// How much to write of everything that has no natural limit.
  private struct Detail {
    let items: Int
    let columns: Int

    /// The levels, from the highest to one that always fits.
    static let levels = [(8, 160), (5, 120), (3, 80), (2, 60), (1, 40), (0, 20)].map {
      Detail(items: $0.0, columns: $0.1)
    }
  }

  /// Returns a JSON object on one line, with as many details as fit.
  func text(of group: FindingGroup) -> String {
    let texts = Detail.levels.lazy.map { text(of: group, $0) }
    return texts.first { $0.utf8.count <= Self.maxTokens * Self.bytesPerToken } ?? "{}"
  }

  private func text(of group: FindingGroup, _ detail: Detail) -> String {
    var json = JSONWriter(.compact)
    json.object { json in write(group, detail, &json) }
    return json.text
  }

  private func write(_ group: FindingGroup, _ detail: Detail, _ json: inout JSONWriter) {
    guard let first = group.findings.first else { return }
    let cut = { (text: String) in Self.page.cutMiddle(Self.page.safe(text), to: detail.columns) }
    let words = FindingWords(log: log, page: Self.page)
    let location = FindingLocation(of: first.lifecycle, in: log, sources)
    json.string("id", group.id.description)
    json.string("rule", group.fingerprint.rule)
    json.string("severity", group.severity.rawValue)
    json.string("place", "\(cut(location.path)):\(location.line)")
    if let function = group.observed?.function ?? group.site.function {
      json.string("function", cut(function))
    }
    json.string("lane", cut(group.site.lane))
    if group.lanes.count > 1 { json.integer("lanes", group.lanes.count) }
    json.string("sentence", cut(words.sentence(of: group)))
    if !first.advice.isEmpty { json.string("fix", cut(first.advice)) }
    write(EditLocation(of: first, in: log, sources), cut, &json)
    json.integer("subscriptions", group.findings.count)
    guard detail.items > 0 else { return }
    let origins = words.origins(of: group).prefix(detail.items)
    if !origins.isEmpty {
      json.array("origins") { json in for text in origins { json.string(nil, cut(text)) } }
    }
    if let retention = first.retention { write(retention, of: first, words, detail, cut, &json) }
    let lanes = log.lanes(of: group.consequences)
    if !lanes.isEmpty {
      json.array("leaksWith") { json in
        for lane in lanes.prefix(detail.items) { json.string(nil, cut(lane)) }
        if lanes.count > detail.items {
          json.string(nil, "and \(CountText.make(lanes.count - detail.items, "more lane"))")
        }
      }
    }
    json.array("examples") { json in
      for finding in group.findings.prefix(detail.items) {
        json.string(nil, cut(example(log.lifecycles[finding.lifecycle])))
      }
    }
    if let fence {
      let events = log.lastEvents(of: log.lifecycles[first.lifecycle], maxCount: detail.items)
      let lines = events.compactMap { event in
        event.text.map { cut("\(event.kind.rawValue) at \(Self.page.duration(event.time)): \($0)") }
      }
      if !lines.isEmpty { json.string("values", fence.around(lines)) }
    }
  }

  private func write(_ edit: EditLocation?, _ cut: (String) -> String, _ json: inout JSONWriter) {
    guard let edit else { return }
    json.object("edit") { json in
      json.string("path", cut(edit.location.path))
      json.integer("line", edit.location.line)
      if edit.location.column > 1 { json.integer("column", edit.location.column) }
      if let excerpt = edit.excerpt { json.string("source", cut(excerpt.text)) }
    }
  }

  private func write(
    _ retention: Retention, of finding: Finding, _ words: FindingWords, _ detail: Detail,
    _ cut: (String) -> String, _ json: inout JSONWriter
  ) {
    let sentences = words.sentences(retention, of: finding)
    if !sentences.isEmpty { json.string("holder", cut(sentences.joined(separator: " "))) }
    guard !retention.steps.isEmpty else { return }
    let number = Int(log.lifecycles[finding.lifecycle].log)
    var broken: Int?
    json.array("keptAliveBy") { json in
      for (place, part) in retention.excerpt(max: detail.items * 2).enumerated() {
        switch part {
        case .step(let index):
          if index == retention.breakIndex { broken = place }
          let step = retention.steps[index]
          let texts = [words.name(of: step), words.detail(of: step, log: number)]
          json.string(nil, cut(texts.filter { !$0.isEmpty }.joined(separator: ": ")))
        case .omitted(let range):
          json.string(nil, "... \(CountText.make(range.count, "more step"))")
        }
      }
    }
    if let broken { json.integer("break", broken) }
  }

  private func example(_ lifecycle: Lifecycle) -> String {
    let record = lifecycle.firstLocation
    return "\(log.name(of: lifecycle)) since \(Self.page.duration(lifecycle.start)), "
      + "\(CountText.make(lifecycle.elements, "element")), first record "
      + "\(log.files[record.file].name):\(record.line)"
  }
}

/// A random tag around values of a log, so that a reader can't mistake them for anything else:
/// whoever made a value can't know the tag.
package struct ValueFence {
  let tag: String

  package init() {
    tag = "log-" + UInt64.random(in: .min ... .max).hexadecimalText
  }

  func around(_ lines: [String]) -> String {
    (["<\(tag)>"] + lines + ["</\(tag)>"]).joined(separator: "\n")
  }
}
