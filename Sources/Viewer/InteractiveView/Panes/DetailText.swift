import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The lines of the detail pane, of which it shows as many as fit.
struct DetailText {
  /// A line, with what its keys open and copy if that is not about the subscription.
  struct Row {
    let line: Line
    /// Makes what to open. Few lines are ever opened or copied, so frames don't make this.
    var source: (@Sendable () -> SourceTarget)?
    /// Makes the text to copy.
    var copied: (@Sendable () -> String)?
    /// The subscription that it leads to.
    var subscription: Int?
    /// A Boolean value that indicates whether it is a line of a source file.
    var isCode = false

    init(_ line: Line) { self.line = line }
  }

  private let viewer: Viewer
  private let page: Page
  private let log: LogAnalysis

  init(_ viewer: Viewer) {
    self.viewer = viewer
    page = viewer.page
    log = viewer.log
  }

  var lines: [Line] { rows.map(\.line) }

  var rows: [Row] {
    guard let index = viewer.timeline.chosen, log.lifecycles.indices.contains(index) else {
      return [Row(Line("no subscription selected", .dim))]
    }
    let about = viewer.viewed.findings(of: index)
    let retention = retention(of: index, about)
    let findings = findings(about, index, retention)
    let observed = observed(index)
    // The problem comes first: its place, the holder, and what keeps the subscription alive.
    let isLead = !findings.isEmpty || retention != nil
    let lead =
      isLead
      ? findings + observed + origin(of: index) + reason(retention, index) + code
        + consequences(about, index) : []
    if let objects = log.leakedObjects(of: index) {
      return findings + leaked(objects, about, retention, index) + place(ofObject: index)
    }
    return lead + life(index) + waits(index)
      + (isLead ? [] : observed + origin(of: index)) + place(index)
      + (isLead ? [] : code) + origin(index) + events + fields
  }

  /// The place in the source that matters most: where the chosen subscription was observed, or else
  /// where it was made.
  var place: SourcePlace? {
    guard let lifecycle = viewer.timeline.chosenLifecycle else { return nil }
    let source = log.observed(of: lifecycle)?.source ?? lifecycle.site.source
    return source.map { SourcePlace($0) }
  }

  /// The lines of the source around the place of the selected line.
  private var code: [Row] {
    guard let excerpt = viewer.sources.excerpt, !excerpt.lines.isEmpty, place != nil else {
      return []
    }
    let last = excerpt.first + excerpt.lines.count - 1
    let digits = "\(last)".count
    return excerpt.lines.enumerated().map { offset, text in
      let number = excerpt.first + offset
      let isPlace = number == excerpt.place.line
      var line = Line(
        DisplayWidth.pad(
          offset == 0 ? page.cut("code", to: titleColumns - 1) : "", to: titleColumns),
        .dim)
      line.append(isPlace ? "> " : "  ", .bold)
      line.append(DisplayWidth.padLeft("\(number)", to: digits) + "  ", .dim)
      line.append(page.safe(text.replacing("\t", with: "    ")), isPlace ? .bold : .plain)
      var row = Row(line.cut(to: page.width, ellipsis: page.glyphs.ellipsis))
      row.source = { .place(SourcePlace(file: excerpt.place.file, line: number)) }
      row.copied = { text }
      row.isCode = true
      return row
    }
  }

  /// Returns the lines about what keeps a subscription alive. They are empty if nobody knows.
  func reason(of index: Int) -> [Line] {
    guard log.lifecycles.indices.contains(index) else { return [] }
    return reason(retention(of: index, viewer.viewed.findings(of: index)), index).map(\.line)
  }

  /// Returns what keeps a subscription alive. The cycle of a finding may go through another of its
  /// subscriptions.
  private func retention(of index: Int, _ about: [Finding]) -> Retention? {
    about.first { $0.lifecycle == index && $0.retention != nil }?.retention
      ?? log.retention(of: index)
  }

  private static let titleWidth = 12
  private static let second: UInt64 = 1_000_000_000

  /// Returns the rows of a place, with a link to it.
  private func placed(_ title: String, _ source: String, _ more: String?) -> [Row] {
    let text = [source, more].compactMap { $0.map(page.safe) }.joined(separator: "  ")
    return entry(title, text, viewer.sources.linked(.plain, to: source))
  }

  private func entry(_ title: String, _ text: String, _ style: Style = .plain) -> [Row] {
    let width = min(Self.titleWidth, page.width / 4)
    let room = max(4, page.width - width)
    return entry(title, page.pieces(text, width: room), style)
  }

  private func sentence(_ title: String, _ text: String, _ style: Style = .plain) -> [Row] {
    let room = max(4, page.width - min(Self.titleWidth, page.width / 4))
    return entry(title, page.sentencePieces(text, width: room), style)
  }

  private func entry(_ title: String, _ pieces: [String], _ style: Style) -> [Row] {
    let width = min(Self.titleWidth, page.width / 4)
    return pieces.enumerated().map { number, piece in
      var line = Line(
        DisplayWidth.pad(number == 0 ? page.cut(title, to: width - 1) : "", to: width), .dim)
      line.append(piece, style)
      return Row(line)
    }
  }

  private static func opening(_ source: String) -> @Sendable () -> SourceTarget {
    { .place(SourcePlace(source)) }
  }

  // MARK: What is wrong

  private func findings(_ all: [Finding], _ index: Int, _ retention: Retention?) -> [Row] {
    let own = all.filter { $0.members.contains(index) }.prefix(3).flatMap { finding in
      let style: Style =
        finding.isProven && finding.level == .error ? Glyphs.suspectStyle : Style(color: .yellow)
      let name = "\(finding.severity.rawValue)[\(finding.rule)]"
      let rows = sentence("finding", name + "  " + page.sentence(finding.sentence), style)
      // A picture has the advice next to the step to break, unless that is far below.
      let isPictured =
        retention.flatMap(RetentionWords.remedy)?.text == finding.advice
        && (retention?.breakIndex).map { $0 < 5 } ?? false
      return isPictured ? rows : rows + sentence("advice", page.safe(finding.advice))
    }
    let roots = all.filter { $0.consequences.contains(index) }.prefix(3).flatMap { finding in
      let root = log.lifecycles[finding.lifecycle]
      return entry(
        "leaks with",
        page.safe("\(log.name(of: root)) \(root.site.lane)") + "  \(finding.rule)",
        Glyphs.suspectStyle)
    }
    return own + roots
  }

  private static let maxConsequences = 8

  /// Returns the subscriptions that leak with the chosen one.
  private func consequences(_ all: [Finding], _ index: Int) -> [Row] {
    let finding = all.first { $0.lifecycle == index && !$0.consequences.isEmpty }
    guard let indices = finding?.consequences else { return [] }
    let names = indices.prefix(Self.maxConsequences).map { index in
      let lifecycle = log.lifecycles[index]
      return page.safe("\(log.name(of: lifecycle)) \(lifecycle.site.lane)")
    }
    let rest = indices.count - names.count
    let more = rest > 0 ? " and \(CountText.make(rest, "other"))" : ""
    let kind = FindingWords(log: log, page: page).kind(ofConsequences: indices)
    return sentence(
      "with it",
      CountText.make(indices.count, kind) + ": " + names.joined(separator: ", ") + more)
  }

  private func observed(_ index: Int) -> [Row] {
    guard let place = log.observed(of: log.lifecycles[index]) else { return [] }
    let target: SourceTarget =
      place.source.map { .place(SourcePlace($0)) } ?? .nowhere(place.function ?? "the observation")
    let title = log.lifecycles[index].isTask ? "made at" : "observed"
    let rows =
      place.source.map { placed(title, $0, place.function) }
      ?? entry(title, page.safe(place.function ?? ""))
    return rows.map { row in
      var row = row
      row.source = { target }
      return row
    }
  }

  /// Returns the test and the calls that led to the observation.
  private func origin(of index: Int) -> [Row] {
    guard let origin = log.origin(of: index) else { return [] }
    let source = origin.calls.lazy.compactMap(\.source).first ?? origin.test?.source
    return sentence("made", page.safe(OriginWords.text(origin))).map { row in
      var row = row
      row.source = source.map(Self.opening)
      return row
    }
  }

  /// Returns the holder of the subscription, and a picture of what keeps it alive.
  private func reason(_ retention: Retention?, _ index: Int) -> [Row] {
    guard let retention else { return [] }
    var rows = RetentionWords.holder(retention).map { sentence("holder", page.safe($0)) } ?? []
    if !retention.steps.isEmpty { rows += picture(retention, index) }
    if let note = RetentionWords.note(retention) { rows += sentence("note", page.safe(note)) }
    return rows
  }

  private func picture(_ retention: Retention, _ index: Int) -> [Row] {
    let number = Int(log.lifecycles[index].log)
    let doubt = retention.isProbable ? "probably " : ""
    let words =
      switch retention.cycle.count {
      case 0: "a chain of \(CountText.make(retention.steps.count, "step")); each holds the next"
      case 1: "a cycle of one step, which holds itself"
      case let count: "a cycle of \(CountText.number(count)) steps; each holds the next"
      }
    let held = log.leakedObjects(of: index)?.held ?? []
    return sentence("held by", doubt + words)
      + RetentionPicture(retention, log: number, of: log, page, held: held).rows.map { picture in
        let site = picture.step.flatMap { retention.steps[$0].site }
        var row = Row(picture.line.linked(viewer.sources.linked(.plain, to: site).link))
        guard let step = picture.step.map({ retention.steps[$0] }) else { return row }
        row.source = {
          step.site.map { .place(SourcePlace($0)) } ?? .nowhere(RetentionWords.name(of: step))
        }
        row.copied = { [page] in
          [RetentionWords.name(of: step), RetentionWords.detail(of: step), step.site ?? ""]
            .filter { !$0.isEmpty }.map(page.safe).joined(separator: "  ")
        }
        return row
      }
  }

  // MARK: Leaked objects

  /// Returns the classes of the leaked objects, and a picture of what they keep alive.
  private func leaked(
    _ objects: LeakedObjects, _ all: [Finding], _ retention: Retention?, _ index: Int
  ) -> [Row] {
    let words = FindingWords(log: log, page: page)
    let finding = all.first { $0.lifecycle == index }
    let members = objects.members.isEmpty ? nil : finding.flatMap { words.objects(of: $0).first }
    let lead = members.map { sentence("objects", $0) } ?? []
    guard let retention, !retention.steps.isEmpty else {
      let held = HeldPicture(classes: objects.held, page: page).lines
      // The title is above the branches instead of next to the line of a cycle.
      return lead
        + (held.isEmpty ? [] : sentence("keeps", "what nothing else keeps alive"))
        + held.dropFirst().map { Row($0) }
    }
    return lead + reason(retention, index)
  }

  private func place(ofObject index: Int) -> [Row] {
    let lifecycle = log.lifecycles[index]
    let site = lifecycle.site
    var rows = site.source.map { entry("source", page.safe($0)) } ?? []
    if let type = site.type { rows += entry("class", page.safe(type)) }
    if log.logs.count > 1 {
      rows += entry("process", page.safe(log.logs[Int(lifecycle.log)].title))
    }
    return rows
  }

  // MARK: The subscription

  private func life(_ index: Int) -> [Row] {
    let lifecycle = log.lifecycles[index]
    let isSuspect = viewer.viewed.suspects.contains(index)
    let sign = page.glyphs.sign(lifecycle.state, isSuspect: isSuspect)
    var rows = entry(
      "state", "\(sign) " + SubscriptionText(log: log, page: page).fate(lifecycle),
      Glyphs.style(lifecycle.state, isSuspect: isSuspect))
    let times = AxisText(page).range(
      from: lifecycle.start, to: lifecycle.end ?? lifecycle.start.after(Self.second))
    var span = "from \(times.start)"
    if lifecycle.end != nil { span += " to \(times.end)" }
    if !lifecycle.hasBeginning { span += " (its start is not in the log)" }
    rows += entry("life", span)
    if !lifecycle.isTask || lifecycle.elements > 0 {
      rows += entry("elements", CountText.number(lifecycle.elements))
    }
    return rows
  }

  /// Returns what a task waits for, the tasks that wait for it, and how long it has waited in all.
  private func waits(_ index: Int) -> [Row] {
    let picture = WaitPicture(index, viewer.viewed, page, width: page.width - titleColumns)
    guard log.lifecycles[index].isTask else {
      return pictured("waiters", picture.waitersForElement)
    }
    var rows = pictured("now", picture.waits) + pictured("waiters", picture.waiters)
    if let sums = log.waitSums(of: index) {
      rows += sentence("waited", TaskWords(log, page).sums(sums))
    }
    if let present = log.presentWait(of: index),
      let identity = TaskWords(log, page).identity(present)
    {
      rows += entry("task", identity)
    }
    return rows
  }

  private var titleColumns: Int { min(Self.titleWidth, page.width / 4) }

  private func pictured(_ title: String, _ rows: [WaitPicture.Row]) -> [Row] {
    rows.enumerated().map { number, picture in
      var line = Line(
        DisplayWidth.pad(
          number == 0 ? page.cut(title, to: titleColumns - 1) : "", to: titleColumns), .dim)
      line.append(picture.line)
      var row = Row(line)
      row.source = picture.source.map(Self.opening)
      row.subscription = picture.task
      return row
    }
  }

  private func place(_ index: Int) -> [Row] {
    let lifecycle = log.lifecycles[index]
    let site = lifecycle.site
    var rows: [Row] = []
    if let source = site.source {
      rows += placed("source", source, site.function)
    }
    if let type = site.type, !lifecycle.isTask { rows += entry("type", page.safe(type)) }
    if let op = site.op { rows += entry("operator", op.rawValue) }
    if lifecycle.livesUntilExit {
      rows += entry("lifetime", "declared to live until the process exits")
    }
    rows += entry("thread", page.safe(ThreadLabel.of(lifecycle, in: log)))
    if let scope = log.scope(of: lifecycle) { rows += entry("scope", page.safe(scope.title)) }
    if log.logs.count > 1 {
      let trace = log.logs[Int(lifecycle.log)]
      rows += entry("process", page.safe(trace.title))
      rows += entry("log", page.safe(trace.names.joined(separator: ", ")))
    }
    return rows
  }

  /// Returns the ancestors that a subscription was made for, up to the outermost, and its cause.
  private func origin(_ index: Int) -> [Row] {
    let lifecycle = log.lifecycles[index]
    var rows: [Row] = []
    for (depth, ancestor) in log.ancestors(of: lifecycle, maxCount: 20).enumerated() {
      let indent = DisplayWidth.spaces(depth * 2)
      let text = SubscriptionText(log: log, page: page.unbounded).line(ancestor)
      rows += entry(depth == 0 ? "made for" : "", indent + text)
    }
    if let id = lifecycle.cause {
      let cause = log.index(of: id, log: Int(lifecycle.log))
      let text = cause.map { SubscriptionText(log: log, page: page.unbounded).line($0) } ?? "\(id)"
      rows += entry("cause", "a delivery of " + text)
    }
    return rows
  }

  // MARK: Events

  private var hasEvents: Bool {
    viewer.panes.events.request?.scope == viewer.timeline.chosen.map { .subscription($0) }
  }

  private var events: [Row] {
    guard hasEvents else { return [] }
    let text = EventText(log: log, page: page)
    let all = viewer.panes.events.events
    let times = AxisText(page).column(of: all.map(\.time), shown: all.indices)
    return zip(all, times).enumerated().map { index, pair in
      let (event, time) = pair
      let isCurrent = index == viewer.panes.events.current
      let width = min(Self.titleWidth, page.width / 4)
      let title = index == 0 ? page.cut("events", to: width - 1) : ""
      var line = Line(DisplayWidth.pad(title, to: width), .dim)
      line.append(
        (isCurrent ? page.glyphs.folded : " ") + " " + text.line(event, time: time),
        isCurrent ? .bold : .plain)
      return Row(line.cut(to: page.width, ellipsis: page.glyphs.ellipsis))
    }
  }

  /// All keys of the current event, with its full value.
  private var fields: [Row] {
    guard hasEvents else { return [] }
    let fields = viewer.panes.events.fields
    guard !fields.isEmpty else { return [] }
    return [Row(Line())] + fields.flatMap { entry(page.safe($0.key), page.safe($0.value)) }
  }
}
