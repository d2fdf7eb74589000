import TerminalUI
import TraceAnalysis
import TraceFormat
import ViewerConsole

/// A time axis with round times above a line.
struct TimeAxis {
  let ticks: [TimeScale.Tick]
  let scale: TimeScale

  func lines(_ page: Page) -> [Line] {
    var names = ""
    for (index, tick) in ticks.enumerated() {
      let name = tick.time == .zero ? "0" : page.duration(tick.time)
      let end = index + 1 < ticks.count ? ticks[index + 1].column - 1 : scale.columns
      let width = DisplayWidth.columns(of: name)
      // The last name may have to move back from the edge.
      var column = tick.column
      if column + width > end, index == ticks.count - 1 { column = scale.columns - width }
      guard column > DisplayWidth.columns(of: names) || names.isEmpty, column + width <= end
      else { continue }
      names = DisplayWidth.pad(names, to: column) + name
    }
    var axis = [String](repeating: page.glyphs.axis, count: scale.columns)
    for tick in ticks { axis[tick.column] = page.glyphs.tick }
    return [Line(names, .dim), Line(axis.joined(), .dim)]
  }
}
