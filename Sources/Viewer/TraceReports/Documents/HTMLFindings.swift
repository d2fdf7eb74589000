import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The findings of an HTML report as plain HTML, which browsers show without a script, too.
///
/// The first mistakes have a card each. If there are very many, the others are only text, because
/// each element of a page takes time.
struct HTMLFindings {
  /// The mistakes, with the most severe first.
  let groups: [FindingGroup]
  private let log: LogAnalysis
  private let words: FindingWords

  /// The number of cards that are shown first, unless there are only a few more.
  private static let openCards = 10
  private static let fewMore = 5
  private static let maxCards = 40
  /// The maximum number of elements in all cards, roughly. The page must open quickly.
  private static let maxElements = 1500
  private static let maxEntries = 10
  /// The maximum number of rows of the index. The script adds the others.
  private static let maxRows = 40
  private static let maxBriefs = 20_000
  private static let briefsInBlock = 100

  /// - Parameter groups: The findings, with the most severe first.
  init(_ log: LogAnalysis, _ groups: [FindingGroup]) {
    self.log = log
    self.groups = groups
    words = FindingWords(log: log, page: Page(width: .max / 2, glyphs: .unicode))
  }

  /// Returns the fragment that leads to a finding. It has the id of the finding, so that a finding
  /// has the same address in a report of the next run.
  static func fragment(of group: FindingGroup) -> String { "finding-\(group.id)" }

  /// Returns the message that all findings of a mistake share.
  func message(of group: FindingGroup) -> String { words.message(of: group) }

  /// Returns the name of a finding's lane, with the number of its other lanes.
  func lanes(of group: FindingGroup) -> String { words.lanes(of: group) }

  func write(_ html: inout HTMLWriter) {
    html.element("h2", ["id": "findings-title"]) { html in
      html.text("Findings ")
      html.element("span", ["class": "quiet"], text: CountText.number(groups.count))
    }
    guard !groups.isEmpty else {
      return html.element("p", ["class": "quiet"], text: "The rules found nothing.")
    }
    if groups.count > 1 { writeIndex(&html) }
    let cards = cardCount
    let first = groups.count <= Self.openCards + Self.fewMore ? cards : min(cards, Self.openCards)
    writeCards(0..<first, &html)
    guard first < groups.count else { return }
    html.element("details", ["id": "more-findings"]) { html in
      html.element("summary", text: CountText.make(groups.count - first, "more finding"))
      writeCards(first..<cards, &html)
      writeBriefs(from: cards, &html)
    }
  }

  /// The number of mistakes that have a card.
  private var cardCount: Int {
    var room = Self.maxElements
    var count = 0
    for group in groups.prefix(Self.maxCards) {
      let steps = group.findings.first?.retention?.steps.count ?? 0
      room -= 15 + 4 * min(steps, FindingJSON.maxShownSteps)
      room -= 4 * min(entryCount(group), Self.maxEntries)
      guard room >= 0 || count == 0 else { break }
      count += 1
    }
    return count
  }

  private func entryCount(_ group: FindingGroup) -> Int {
    group.findings.reduce(0) { $0 + $1.members.count + $1.consequences.count }
  }

  // MARK: Index

  /// Writes a row for each finding. The script replaces the table by one that can be filtered.
  private func writeIndex(_ html: inout HTMLWriter) {
    html.element("div", ["id": "findings-index"]) { html in
      html.element("table") { html in
        html.element("caption", ["class": "hidden"], text: "Findings by line")
        html.element("thead") { html in
          html.element("tr") { html in
            for title in ["Line", "Rule", "Times", "Lane"] {
              html.element(
                "th", ["scope": "col", "class": title == "Times" ? "figure" : nil], text: title)
            }
          }
        }
        html.element("tbody") { html in
          for group in groups.prefix(Self.maxRows) {
            html.newline()
            writeRow(group, &html)
          }
        }
      }
      let rest = groups.count - Self.maxRows
      guard rest > 0 else { return }
      html.element(
        "p", ["class": "quiet"], text: "and \(CountText.make(rest, "more finding")) below")
    }
  }

  private func writeRow(_ group: FindingGroup, _ html: inout HTMLWriter) {
    html.element("tr") { html in
      html.element("td") { html in
        html.element("a", ["href": "#\(Self.fragment(of: group))"]) { html in
          let place = place(group, isBrief: false)
          html.isolated(
            place.flatMap { $0.source ?? $0.function } ?? "unknown", ["class": "code"])
        }
      }
      html.element(
        "td", ["class": "rule \(group.severity.rawValue)"], text: group.fingerprint.rule)
      html.element("td", ["class": "figure"], text: CountText.number(group.findings.count))
      html.element("td") { $0.isolated(words.lanes(of: group)) }
    }
  }

  // MARK: Cards

  private func writeCards(_ range: Range<Int>, _ html: inout HTMLWriter) {
    guard !range.isEmpty else { return }
    html.element("div", ["class": "cards"]) { html in
      for index in range {
        html.newline()
        writeCard(index, &html)
      }
    }
  }

  private func writeCard(_ index: Int, _ html: inout HTMLWriter) {
    let group = groups[index]
    guard let first = group.findings.first else { return }
    let severity = group.severity.rawValue
    let lifecycle = log.lifecycles[first.lifecycle]
    // A graph of classes needs the whole width.
    let name = "card \(severity)" + (log.leakedObjects(of: first.lifecycle) == nil ? "" : " wide")
    html.element(
      "article", ["class": name, "id": Self.fragment(of: groups[index]), "tabindex": "-1"]
    ) { html in
      html.element("h3") { html in
        html.element("span", ["class": "rule"], text: "\(severity)[\(group.fingerprint.rule)]")
        html.text(" \(group.id) ")
        if lifecycle.isObject {
          html.isolated(group.site.lane)
        } else {
          html.element("a", ["class": "to", "href": HTMLLinks.lane(group.site.lane)]) {
            $0.isolated(words.lanes(of: group))
          }
          html.text(" ")
          writeLink(first.lifecycle, &html)
        }
        if group.findings.count > 1 { html.text(" ×\(CountText.number(group.findings.count))") }
        let here = "Link to this finding"
        html.element(
          "a",
          [
            "class": "here", "href": "#\(Self.fragment(of: groups[index]))", "title": here,
            "aria-label": here,
          ],
          text: "#")
      }
      writePlace(group, lifecycle, &html)
      html.element("p") { $0.isolated(message(of: group)) }
      for origin in words.origins(of: group) {
        html.element("p", ["class": "quiet"]) { $0.isolated(origin) }
      }
      writeReason(first, &html)
      lifecycle.isObject ? writeOthers(group, &html) : writeInvolved(group, &html)
    }
  }

  private func writeLink(_ index: Int, _ html: inout HTMLWriter) {
    let lifecycle = log.lifecycles[index]
    html.element("a", ["class": "to", "href": HTMLLinks.subscription(lifecycle)]) {
      $0.isolated(log.name(of: lifecycle))
    }
  }

  /// Writes where the mistake was made: where the subscription was observed, or else where its lane
  /// is.
  private func writePlace(_ group: FindingGroup, _ lifecycle: Lifecycle, _ html: inout HTMLWriter) {
    let lane = lifecycle.site.source
    guard let place = place(group, isBrief: false) else {
      let unknown =
        group.site.op == nil ? "its beginning is not in the log" : "source location unknown"
      return html.element("p", ["class": "place"], text: unknown)
    }
    html.element("p", ["class": "place"]) { html in
      html.text(place.words)
      if let source = place.source { html.element("bdi", ["class": "code"], text: source) }
      if place.source != nil, place.function != nil { html.text(" ") }
      if let function = place.function {
        html.element("bdi", ["class": "code quiet"], text: function)
      }
    }
    guard group.observed != nil, let lane, lane != place.source else { return }
    html.element("p", ["class": "quiet"]) { html in
      html.text(lifecycle.isTask ? "it begins at " : "its lane is at ")
      html.element("bdi", ["class": "code"], text: lane)
    }
  }

  private func place(
    _ group: FindingGroup, isBrief: Bool
  ) -> (words: String, source: String?, function: String?)? {
    if let observed = group.observed, observed.source != nil || observed.function != nil {
      let verb = group.site.op == .task ? "made" : "observed"
      return (
        "\(verb) \(observed.source == nil ? "in" : "at") ", observed.source, observed.function
      )
    }
    guard group.site.source != nil || group.site.function != nil else { return nil }
    return (isBrief ? "at " : "", group.site.source, group.site.function)
  }

  /// Writes who holds the subscription, what keeps it alive, and what to do.
  private func writeReason(_ finding: Finding, _ html: inout HTMLWriter) {
    let retention = finding.retention
    if let holder = retention.flatMap(RetentionWords.holder) {
      html.element("p", ["class": "holder"]) { $0.isolated(holder) }
    }
    let objects = words.objects(of: finding)
    let hasSteps = retention?.steps.isEmpty == false
    if hasSteps || !objects.isEmpty {
      // The script replaces this element with a picture.
      html.element("div", ["class": "why"]) { html in
        if let retention, hasSteps { writePath(retention, of: finding, &html) }
        for sentence in objects {
          html.element("p", ["class": "quiet"]) { $0.isolated(sentence) }
        }
      }
    }
    if let note = retention.flatMap(RetentionWords.note) {
      html.element("p", ["class": "quiet"]) { $0.isolated(note) }
    }
    if let cause = words.cause(of: finding) {
      html.element("p", ["class": "quiet"]) { $0.isolated(cause) }
    }
    let isMarked = retention?.breakIndex != nil
    let isKnown = isMarked && retention.flatMap(RetentionWords.remedy)?.text == finding.advice
    guard !finding.advice.isEmpty, !isKnown else { return }
    html.element("p", ["class": "advice"]) { html in
      html.element("strong", text: "Fix: ")
      html.isolated(finding.advice)
    }
  }

  /// Writes the steps of a cycle or of a path as a list. Each holds the next one.
  private func writePath(_ retention: Retention, of finding: Finding, _ html: inout HTMLWriter) {
    let ring = retention.isCycle ? retention.steps.count - retention.tail : 0
    let caption = caption(retention, ring: ring)
    html.element("figure", ["class": ring > 0 ? "path cycle" : "path", "aria-label": caption]) {
      html in
      html.element("figcaption", text: caption)
      html.element("ol", ["class": "steps"]) { html in
        for part in retention.excerpt(max: FindingJSON.maxShownSteps) {
          switch part {
          case .step(let index): writeStep(index, retention, ring: ring, of: finding, &html)
          case .omitted(let range): writeOmitted(range, retention, ring: ring, &html)
          }
        }
      }
    }
  }

  private func caption(_ retention: Retention, ring: Int) -> String {
    let kind =
      switch ring {
      case 0: "a chain: each step holds the next"
      case 1: "a cycle of one step, which holds itself"
      default: "a cycle: each step holds the next, and the last one the first"
      }
    let tail =
      ring > 0 && retention.tail > 0
      ? ", and the rest leads to \(RetentionWords.target(retention))" : ""
    return "\(retention.isProbable ? "probably " : "")kept alive by \(kind)\(tail)"
  }

  private func writeStep(
    _ index: Int, _ retention: Retention, ring: Int, of finding: Finding,
    _ html: inout HTMLWriter
  ) {
    let step = retention.steps[index]
    let isBreak = index == retention.breakIndex
    let names = [
      index < ring ? "ring" : nil, index == 0 ? "first" : nil, index == ring - 1 ? "back" : nil,
      index == retention.steps.count - 1 ? "end" : nil, isBreak ? "break" : nil,
    ].compactMap { $0 }
    let name = words.name(of: step)
    let detail = words.detail(of: step, log: Int(log.lifecycles[finding.lifecycle].log))
    html.element("li", ["class": (["step"] + names).joined(separator: " ")]) { html in
      html.element("span", ["class": "node", "aria-hidden": "true"], text: "")
      html.element("div", ["class": "words"]) { html in
        html.isolated(name, ["class": "what"])
        if !detail.isEmpty {
          html.text(" ")
          html.isolated(detail, ["class": "detail"])
        }
        if let site = step.site, let file = site.split(separator: "/").last, !name.contains(file) {
          html.text(" ")
          html.isolated(site, ["class": "code quiet"])
        }
      }
      guard isBreak else { return }
      html.element("p", ["class": "mark"]) { html in
        html.element("strong", text: "Break it here")
        if let remedy = RetentionWords.remedy(retention) {
          html.text(" ")
          html.isolated(remedy.text)
        }
      }
    }
  }

  /// Writes the names of the steps that the list leaves out. The browser can unfold them.
  private func writeOmitted(
    _ range: Range<Int>, _ retention: Retention, ring: Int, _ html: inout HTMLWriter
  ) {
    let isOnRing = range.lowerBound < ring
    html.element("li", ["class": "step gap" + (isOnRing ? " ring" : "")]) { html in
      html.element("details") { html in
        html.element("summary", text: CountText.make(range.count, "more step"))
        html.element("p", ["class": "quiet"]) {
          $0.isolated(names(of: retention.steps[range]))
        }
      }
    }
  }

  private func names(of steps: ArraySlice<Retention.Step>) -> String {
    steps.map { words.name(of: $0) }.joined(separator: " → ")
  }

  /// Writes a list of all subscriptions of a mistake, each above those that leak with it.
  private func writeInvolved(_ group: FindingGroup, _ html: inout HTMLWriter) {
    let count = entryCount(group)
    guard count > 1 else { return }
    let upstream = group.consequenceCount
    let title =
      CountText.make(count - upstream, "subscription")
      + (upstream > 0 ? " and \(CountText.number(upstream)) upstream" : "")
    let isOpen = group.findings.first?.retention == nil && count <= 5
    var room = Self.maxEntries
    html.element("details", ["open": isOpen ? "" : nil]) { html in
      html.element("summary", text: title)
      html.element("ul", ["class": "tree"]) { html in
        for finding in group.findings where room > 0 {
          room -= 1
          let sentence = group.findings.count > 1 ? words.page.sentence(finding.sentence) : nil
          html.element("li") { html in
            writeEntry(finding.lifecycle, sentence, &html)
            let others = (finding.others + finding.consequences).prefix(room)
            guard !others.isEmpty else { return }
            room -= others.count
            html.element("ul") { html in
              for index in others { html.element("li") { writeEntry(index, nil, &$0) } }
            }
          }
        }
        let rest = count - Self.maxEntries
        if rest > 0 { writeRest(rest, &html) }
      }
    }
  }

  private func writeEntry(_ index: Int, _ sentence: String?, _ html: inout HTMLWriter) {
    let lifecycle = log.lifecycles[index]
    writeLink(index, &html)
    html.text(" ")
    html.isolated(lifecycle.site.lane)
    let state =
      switch lifecycle.state {
      case .active: "still active"
      case .released: "released without an end"
      default: lifecycle.state.name
      }
    let elements = CountText.make(lifecycle.elements, "element")
    let facts = [state, elements, sentence].compactMap { $0 }.joined(separator: ", ")
    html.element("span", ["class": "quiet"]) { html in
      html.text(" ")
      html.isolated(facts)
    }
  }

  /// Writes the same mistake in other processes.
  private func writeOthers(_ group: FindingGroup, _ html: inout HTMLWriter) {
    let others = group.findings.dropFirst()
    guard !others.isEmpty else { return }
    html.element("details") { html in
      html.element("summary", text: "and \(CountText.number(others.count)) more")
      html.element("ul", ["class": "tree"]) { html in
        for finding in others.prefix(Self.maxEntries) {
          html.element("li") { html in
            html.isolated(log.logs[Int(log.lifecycles[finding.lifecycle].log)].title)
            html.text(": ")
            html.isolated(words.page.sentence(finding.sentence), ["class": "quiet"])
          }
        }
        let rest = others.count - Self.maxEntries
        if rest > 0 { writeRest(rest, &html) }
      }
    }
  }

  private func writeRest(_ count: Int, _ html: inout HTMLWriter) {
    html.element(
      "li", ["class": "quiet"],
      text: "and \(CountText.number(count)) more; --format json lists all")
  }

  // MARK: Text

  /// Writes mistakes as text, in blocks that the browser draws when they come into view.
  private func writeBriefs(from first: Int, _ html: inout HTMLWriter) {
    let end = min(groups.count, first + Self.maxBriefs)
    for start in stride(from: first, to: end, by: Self.briefsInBlock) {
      let range = start..<min(end, start + Self.briefsInBlock)
      html.newline()
      html.element("pre", ["class": "briefs", "id": "findings-\(start + 1)"]) { html in
        for index in range {
          // The page finds a mistake in its block by its number.
          if index > start { html.newline() }
          html.text("\(index + 1). ")
          for line in brief(groups[index]) {
            html.text(line)
            html.newline()
          }
        }
      }
    }
    let rest = groups.count - end
    guard rest > 0 else { return }
    html.element(
      "p", ["class": "quiet"],
      text: "and \(CountText.make(rest, "more finding")); --format json lists all")
  }

  private func brief(_ group: FindingGroup) -> [String] {
    guard let first = group.findings.first else { return [] }
    let lifecycle = log.lifecycles[first.lifecycle]
    let name = lifecycle.isObject ? "" : "  \(log.name(of: lifecycle))"
    let rule = "\(group.severity.rawValue)[\(group.fingerprint.rule)]"
    var lines = ["\(rule)  \(group.id)  \(words.lanes(of: group))\(name)"]
    if let place = place(group, isBrief: true) {
      let texts = [place.source, place.function].compactMap { $0 }
      lines.append("   \(place.words)\(texts.joined(separator: "  "))")
    }
    lines.append("   \(message(of: group))")
    lines += words.origins(of: group).map { "   " + $0 }
    if let retention = first.retention {
      lines += [RetentionWords.holder(retention), RetentionWords.note(retention)]
        .compactMap { $0.map { "   " + $0 } }
      if !retention.steps.isEmpty {
        let ring = retention.isCycle ? retention.steps.count - retention.tail : 0
        lines.append("   \(caption(retention, ring: ring)): \(names(of: retention.steps[...]))")
      }
      if let step = retention.breakStep {
        let remedy = RetentionWords.remedy(retention).map { ": \($0.text)" } ?? ""
        lines.append("   \(RetentionWords.mark), at \(words.name(of: step))\(remedy)")
      }
    }
    lines += words.objects(of: first).map { "   " + $0 }
    if let cause = words.cause(of: first) { lines.append("   " + cause) }
    if !first.advice.isEmpty { lines.append("   Fix: " + first.advice) }
    return lines
  }
}

/// The fragments of an HTML report that its script understands.
enum HTMLLinks {
  static func lane(_ name: String) -> String {
    "#lane=" + Escaping.uriComponent(name)
  }

  static func subscription(_ lifecycle: Lifecycle) -> String {
    "#sub=\(lifecycle.id.number)" + (lifecycle.log > 0 ? "&log=\(lifecycle.log)" : "")
  }
}
