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

  /// Asks for the file of an export.
  ///
  /// - Parameter lane: The lane or group to export, or `nil` for the whole log.
  mutating func askWhereToExport(lane: TimelineRows.Lane?) {
    let name = lane.map { ExportName.stem(of: $0.name) } ?? "trace"
    ask(.export(exportTitle(lane), lane?.listed), text: "\(name).csv")
  }

  mutating func exportLane() -> [Effect] {
    guard let lane = timeline.selectedLane, !lane.listed.isEmpty else {
      return refuse("no lane selected; x exports the log")
    }
    askWhereToExport(lane: lane)
    return []
  }

  /// Starts the export to the file that was typed into a prompt.
  mutating func export(_ prompt: Prompt, _ members: MemberList?) -> [Effect] {
    guard ExportName(prompt.text) != nil else {
      self.prompt?.problem = ExportName.problem
      return []
    }
    guard !snapshot.isAligned || timeline.marks.between == nil else {
      self.prompt?.problem = "A to B needs one time axis; Esc, then T shows wall-clock time"
      return []
    }
    accept(prompt)
    exports.start()
    exporting = prompt.purpose
    let range = timeline.marks.between
    say("exporting to \(prompt.text)")
    return [
      .export(
        path: prompt.text, members: members.map { .some($0, range) } ?? .shown(range),
        overwrites: prompt.existing == prompt.text)
    ]
  }

  /// Shows the result of an export.
  ///
  /// - Parameter existing: A file that was not overwritten.
  mutating func finishExport(_ notice: Notice, _ existing: String?) {
    exports.finish()
    guard let existing, prompt == nil, let exporting else {
      self.notice = notice
      return
    }
    var prompt = Prompt(exporting, text: existing)
    prompt.problem = notice.text
    prompt.existing = existing
    self.prompt = prompt
  }

  /// A description of the subscriptions and the time range to export.
  private func exportTitle(_ lane: TimelineRows.Lane?) -> String {
    let range = timeline.marks.between == nil ? "" : ", A to B,"
    guard let lane else {
      return (viewed.excerpt.hasAllSubscriptions ? "the log" : "what the filter shows") + range
    }
    let name = page.cutMiddle(page.safe(lane.name), to: max(8, terminal.columns / 4))
    return "only \(name) \(page.glyphs.times)\(CountText.number(lane.listed.count))\(range)"
  }
}
