import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The meanings of the signs that occur in a timeline.
struct TimelineLegend {
  let timeline: Timeline

  func lines(_ page: Page) -> [Line] {
    let gap = "   "
    let all = page.flow(ends(page) + elements(page) + density(page), separator: gap)
    let tasks = page.flow(tasks(page), separator: gap)
    guard all.count > 1 else { return all + tasks }
    return page.flow(ends(page), separator: gap)
      + page.flow(elements(page) + density(page), separator: gap) + tasks
  }

  /// The signs for what tasks do.
  private func tasks(_ page: Page) -> [Line] {
    let bars = timeline.lanes.lazy.flatMap { $0.rows.lazy.flatMap(\.bars) }
    let cells = bars.reduce(into: Set<TaskCell>()) { $0.formUnion($1.task) }
    guard !cells.isEmpty else { return [] }
    let bar = Glyphs.style(.active)
    var lines: [Line] = []
    if cells.contains(.runs) {
      lines.append(entry(page.glyphs.runs, "a task runs", Glyphs.style(.runs, in: bar)))
    }
    if cells.contains(where: \.isMixed), let low = page.glyphs.busy.first,
      let high = page.glyphs.busy.last
    {
      lines.append(
        entry(low + high, "runs now and then", Glyphs.style(.mixed(percent: 0), in: bar)))
    }
    let waits: [UnfinishedTask.Wait?] = [.continuation, .task, .group, .executor]
    for wait in waits
    where cells.contains(.waits(wait)) || wait == .continuation && cells.contains(.waits(nil)) {
      lines.append(
        entry(
          page.glyphs.sign(wait), "waits " + TaskWords.purpose(wait),
          Glyphs.style(.waits(wait), in: bar)))
    }
    return lines
  }

  private func ends(_ page: Page) -> [Line] {
    let bars = timeline.lanes.flatMap { $0.rows.flatMap(\.bars) }.filter { !$0.isCutRight }
    var lines: [Line] = []
    for state in [.completed, .failed, .disposed, .released, .active] as [Lifecycle.State]
    where bars.contains(where: { $0.state == state && !$0.isSuspect }) {
      let name = state == .active ? "still active" : "\(state)"
      lines.append(entry(page.glyphs[state], name, Glyphs.style(state)))
    }
    if bars.contains(where: \.isSuspect) {
      lines.append(entry(page.glyphs.suspect, "leak", Glyphs.suspectStyle))
    }
    return lines
  }

  private func elements(_ page: Page) -> [Line] {
    let maxCount = timeline.lanes.lazy.flatMap { $0.rows.lazy.flatMap(\.elements) }.max() ?? 0
    let steps = [(1, "an element"), (2, "2 or more"), (10, "10 or more"), (100, "100 or more")]
    return steps.enumerated().compactMap { index, step in
      maxCount >= step.0 ? entry(page.glyphs.elements[index], step.1, .bold) : nil
    }
  }

  private func density(_ page: Page) -> [Line] {
    let maxCount = timeline.lanes.compactMap { $0.folded?.alive.max() }.max()
    guard let maxCount, let low = page.glyphs.density.first, let high = page.glyphs.density.last
    else { return [] }
    let count = CountText.number(maxCount)
    return [entry(low + high, "alive at once, up to \(count)", .dim)]
  }

  private func entry(_ glyph: String, _ name: String, _ style: Style) -> Line {
    var line = Line(glyph, style)
    line.append(" " + name)
    return line
  }
}
