import TerminalUI
import TraceAnalysis
import TraceFormat

// Passing data to other programs.
extension Viewer {
  /// Copies the text of the selected line.
  mutating func copy() -> [Effect] {
    guard let text = selectedText, !text.isEmpty else {
      notice = Notice(text: "there is nothing to copy")
      return []
    }
    notice = Notice(text: "copied: \(text)")
    return [.copy(text)]
  }

  private var selectedText: String? {
    if focus == .pane {
      switch pane {
      case .events: if let event { return EventText(log: log, page: page.unbounded).line(event) }
      case .findings:
        guard viewed.findings.indices.contains(lists.findings.row) else { return nil }
        return FindingText(log: log, page: page.unbounded)
          .line(viewed.findings[lists.findings.row]).text
      case .summary:
        guard let statistics, statistics.indices.contains(lists.summary.row) else { return nil }
        return page.safe(statistics[lists.summary.row].lane)
      case .subscriptions, .detail: break
      }
    }
    if let event { return EventText(log: log, page: page.unbounded).line(event) }
    guard let chosen, log.lifecycles.indices.contains(chosen) else {
      return selectedLane.map { page.safe($0.name) }
    }
    return SubscriptionText(log: log, page: page.unbounded).line(chosen)
  }

  mutating func openSource() -> [Effect] {
    var index = chosen
    if focus == .pane, pane == .findings, viewed.findings.indices.contains(lists.findings.row) {
      index = viewed.findings[lists.findings.row].lifecycle
    }
    guard let index, log.lifecycles.indices.contains(index) else {
      notice = Notice(text: "no subscription is selected")
      return []
    }
    let site = log.lifecycles[index].site
    guard let file = site.file else {
      notice = Notice(text: "the log does not say where \(page.safe(site.lane)) is in the source")
      return []
    }
    return [.open(file: file, line: site.line ?? 1)]
  }

  mutating func askWhereToExport() {
    let name = selectedLane.map { ExportName.stem(of: $0.name) } ?? "trace"
    prompt = Prompt(.export(exportTitle), text: "\(name).csv")
  }

  /// A description of the subscriptions and the time range to export.
  private var exportTitle: String {
    let range = marks.between == nil ? "" : ", A to B,"
    guard let lane = selectedLane, !lane.listed.isEmpty else { return "all\(range)" }
    let name = page.cutMiddle(page.safe(lane.name), to: max(8, columns / 4))
    return "\(name) \(page.glyphs.times)\(CountText.number(lane.listed.count))\(range)"
  }

  /// Shows the result of an export.
  ///
  /// - Parameter existing: A file that was not overwritten.
  mutating func finishExport(_ notice: Notice, _ existing: String?) {
    exports = max(0, exports - 1)
    guard let existing, prompt == nil else {
      self.notice = notice
      return
    }
    var prompt = Prompt(.export(exportTitle), text: existing)
    prompt.problem = notice.text
    prompt.existing = existing
    self.prompt = prompt
  }

  /// The subscriptions of the selected lane or group, in the marked time range or in the whole
  /// time.
  var exported: ExportMembers {
    guard let lane = selectedLane, !lane.listed.isEmpty else { return .shown(marks.between) }
    return .some(lane.listed, marks.between)
  }
}
