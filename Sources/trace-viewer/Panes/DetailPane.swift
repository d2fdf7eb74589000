import TerminalUI
import TraceAnalysis
import TraceFormat

extension PaneID {
  static let detail = PaneID(title: "Detail")
}

/// The pane with everything about the chosen subscription, and the events around the cursor.
struct DetailPane: Pane {
  static let id = PaneID.detail
  static let help = "show everything about the subscription"

  /// The first visible line.
  private(set) var first = 0

  func subject(in viewer: Viewer) -> String? {
    viewer.timeline.chosenLifecycle.map {
      viewer.page.safe("\(viewer.log.name(of: $0)) \($0.site.lane)")
    }
  }

  func events(_ viewer: Viewer) -> EventRequest? {
    viewer.timeline.chosen.map { chosen in
      EventRequest(
        scope: .subscription(chosen), position: viewer.timeline.position, before: 4, after: 4,
        wantsFields: true, revision: viewer.snapshot.revision,
        listRevision: viewer.timeline.list.revision)
    }
  }

  mutating func scrollToTop() { first = 0 }

  mutating func move(_ movement: PaneMovement, in viewer: inout Viewer) {
    let last = max(0, DetailText(viewer).lines.count - viewer.layout.pane.count)
    first = max(0, min(movement.target(from: first, count: last + 1), last))
  }

  mutating func open(in viewer: inout Viewer) { viewer.focus = .timeline }

  func lines(_ viewer: Viewer) -> [Line] {
    let all = DetailText(viewer).lines
    let height = viewer.layout.pane.count
    return Array(all.dropFirst(max(0, min(first, all.count - height))).prefix(height))
  }
}

/// The lines of the detail pane, of which it shows as many as fit.
struct DetailText {
  private let viewer: Viewer
  private let page: Page
  private let log: LogAnalysis

  init(_ viewer: Viewer) {
    self.viewer = viewer
    page = viewer.page
    log = viewer.log
  }

  var lines: [Line] {
    guard let index = viewer.timeline.chosen, log.lifecycles.indices.contains(index) else {
      return [Line("no subscription selected", .dim)]
    }
    return findings(index) + life(index) + origin(index) + events + fields
  }

  private static let titleWidth = 12
  /// The maximum number of lines for one text.
  private static let mostPieces = 5000

  private func entry(_ title: String, _ text: String, _ style: Style = .plain) -> [Line] {
    let width = min(Self.titleWidth, page.width / 4)
    let room = max(4, page.width - width)
    return pieces(text, width: room).enumerated().map { number, piece in
      var line = Line(
        DisplayWidth.pad(number == 0 ? page.cut(title, to: width - 1) : "", to: width), .dim)
      line.append(piece, style)
      return line
    }
  }

  /// Returns a text in full, broken at the edge.
  private func pieces(_ text: String, width: Int) -> [String] {
    guard !text.isEmpty else { return [""] }
    var pieces: [String] = []
    var piece = ""
    var columns = 0
    for character in text {
      let wide = DisplayWidth.columns(of: character)
      if columns + wide > width, !piece.isEmpty {
        pieces.append(piece)
        piece = ""
        columns = 0
        // Nobody scrolls further than this.
        if pieces.count >= Self.mostPieces { return pieces + ["(the rest is in the log)"] }
      }
      piece.append(character)
      columns += wide
    }
    return pieces + [piece]
  }

  private func findings(_ index: Int) -> [Line] {
    viewer.viewed.findings.filter { $0.members.contains(index) }.prefix(3).flatMap { finding in
      let style: Style =
        finding.isProven && finding.level == .error ? Glyphs.suspectStyle : Style(color: .yellow)
      return entry(finding.rule, page.sentence(finding.sentence), style)
    }
  }

  private func life(_ index: Int) -> [Line] {
    let lifecycle = log.lifecycles[index]
    let site = lifecycle.site
    let isSuspect = viewer.viewed.suspects.contains(index)
    let glyph = isSuspect ? page.glyphs.suspect : page.glyphs[lifecycle.state]
    var lines = entry(
      "state", "\(glyph) " + SubscriptionText(log: log, page: page).fate(lifecycle),
      isSuspect ? Glyphs.suspectStyle : Glyphs.style(lifecycle.state))
    var span = "from \(page.duration(lifecycle.start))"
    if let end = lifecycle.end { span += " to \(page.duration(end))" }
    if !lifecycle.hasBeginning { span += " (its start is not in the log)" }
    lines += entry("life", span)
    lines += entry("elements", CountText.number(lifecycle.elements))
    if let source = site.source {
      lines += entry(
        "source", page.safe(source) + (site.function.map { "  " + page.safe($0) } ?? ""))
    }
    if let type = site.type { lines += entry("type", page.safe(type)) }
    if let op = site.op { lines += entry("operator", op.rawValue) }
    if lifecycle.livesUntilExit {
      lines += entry("lifetime", "declared to live until the process exits")
    }
    lines += entry("thread", page.safe(ThreadLabel.of(lifecycle, in: log)))
    if let scope = log.scope(of: lifecycle) { lines += entry("scope", page.safe(scope.title)) }
    if log.logs.count > 1 {
      lines += entry("process", page.safe(log.logs[Int(lifecycle.log)].title))
    }
    return lines
  }

  /// Returns the ancestors that a subscription was made for, up to the outermost, and its cause.
  private func origin(_ index: Int) -> [Line] {
    let lifecycle = log.lifecycles[index]
    var lines: [Line] = []
    for (depth, ancestor) in log.ancestors(of: lifecycle, most: 20).enumerated() {
      let indent = DisplayWidth.spaces(depth * 2)
      let text = SubscriptionText(log: log, page: page.unbounded).line(ancestor)
      lines += entry(depth == 0 ? "made for" : "", indent + text)
    }
    if let id = lifecycle.cause {
      let cause = log.index(of: id, log: Int(lifecycle.log))
      let text = cause.map { SubscriptionText(log: log, page: page.unbounded).line($0) } ?? "\(id)"
      lines += entry("cause", "a delivery of " + text)
    }
    return lines
  }

  private var events: [Line] {
    guard viewer.panes.events.request?.scope == viewer.timeline.chosen.map({ .subscription($0) })
    else {
      return []
    }
    let text = EventText(log: log, page: page)
    return viewer.panes.events.events.enumerated().flatMap { index, event in
      let isCurrent = index == viewer.panes.events.current
      let width = min(Self.titleWidth, page.width / 4)
      let title = index == 0 ? page.cut("events", to: width - 1) : ""
      var line = Line(DisplayWidth.pad(title, to: width), .dim)
      line.append(
        (isCurrent ? page.glyphs.folded : " ") + " " + text.line(event),
        isCurrent ? .bold : .plain)
      return [line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)]
    }
  }

  /// All keys of the current event, with its full value.
  private var fields: [Line] {
    guard viewer.panes.events.request?.scope == viewer.timeline.chosen.map({ .subscription($0) })
    else {
      return []
    }
    let fields = viewer.panes.events.fields
    guard !fields.isEmpty else { return [] }
    return [Line()] + fields.flatMap { entry(page.safe($0.key), page.safe($0.value)) }
  }
}
