import TraceAnalysis
import ViewerConsole

// Giving data to other programs: the clipboard, an editor, and files.
extension Viewer {
  /// Copies the text of the selected line.
  mutating func copy() -> [Effect] {
    let selected = focus == .pane ? panes.current.copiedText(in: self) : SelectionText.of(self)
    guard let text = selected, !text.isEmpty else { return refuse("nothing to copy") }
    let lines = text.split(separator: "\n")
    let kind = lines.count > 1 ? " \(CountText.number(lines.count)) lines of Markdown" : ""
    say("copied\(kind): \(lines.first ?? "")")
    return [.copy(text)]
  }

  mutating func openSource() -> [Effect] {
    let selected: SourceTarget =
      focus == .pane
      ? panes.current.source(in: self) : timeline.chosen.map { .lane(of: $0) } ?? .nothing
    switch selected {
    case .place(let place): return [.open(file: place.file, line: place.line)]
    case .lane(let index) where log.lifecycles.indices.contains(index):
      let site = log.lifecycles[index].site
      if let source = site.source {
        let place = SourcePlace(source)
        return [.open(file: place.file, line: place.line)]
      }
      say("the log has no source location for \(page.safe(site.lane))")
    case .nowhere(let name):
      say("the log has no source location for \(page.safe(name))")
    case .lane, .nothing: say("no subscription selected")
    }
    return []
  }

  // MARK: Exporting

  mutating func askWhereToExport() {
    let name = timeline.selectedLane.map { ExportName.stem(of: $0.name) } ?? "trace"
    ask(.export(exportTitle), text: "\(name).csv")
  }

  /// Starts the export to the file that was typed into a prompt.
  mutating func export(_ prompt: Prompt) -> [Effect] {
    guard ExportName(prompt.text) != nil else {
      self.prompt?.problem = ExportName.problem
      return []
    }
    accept(prompt)
    exports.start()
    say("exporting to \(prompt.text)")
    return [
      .export(path: prompt.text, members: exported, overwrites: prompt.existing == prompt.text)
    ]
  }

  /// Shows the result of an export.
  ///
  /// - Parameter existing: A file that was not overwritten.
  mutating func finishExport(_ notice: Notice, _ existing: String?) {
    exports.finish()
    guard let existing, prompt == nil else {
      self.notice = notice
      return
    }
    var prompt = Prompt(.export(exportTitle), text: existing)
    prompt.problem = notice.text
    prompt.existing = existing
    self.prompt = prompt
  }

  /// A description of the subscriptions and the time range to export.
  private var exportTitle: String {
    let range = timeline.marks.between == nil ? "" : ", A to B,"
    guard let lane = timeline.selectedLane, !lane.listed.isEmpty else { return "all\(range)" }
    let name = page.cutMiddle(page.safe(lane.name), to: max(8, terminal.columns / 4))
    return "\(name) \(page.glyphs.times)\(CountText.number(lane.listed.count))\(range)"
  }

  /// The subscriptions of the selected lane or group, in the marked time range or in the whole
  /// time.
  private var exported: ExportMembers {
    let range = timeline.marks.between
    guard let lane = timeline.selectedLane, !lane.listed.isEmpty else { return .shown(range) }
    return .some(lane.listed, range)
  }
}
