import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A painter that draws the number of live subscriptions over time as a density curve.
struct HillPainter {
  /// The numbers in the columns of a scale.
  struct Hill {
    fileprivate(set) var alive: [Int]
    fileprivate(set) var hasFailure: [Bool]

    var maxCount: Int { alive.max() ?? 1 }
  }

  let glyphs: Glyphs
  let scale: TimeScale

  /// Returns the numbers of live subscriptions.
  ///
  /// - Parameter end: The end of the log, after which nothing is drawn; by default, everything is.
  func hill(of populations: [Population], until end: Nanoseconds = Nanoseconds(.max)) -> Hill {
    var hill = Hill(
      alive: Array(repeating: 0, count: scale.columns),
      hasFailure: Array(repeating: false, count: scale.columns))
    var left = scale.start
    for column in 0..<scale.columns {
      guard left <= end else { break }
      let right = scale.start(of: column + 1)
      for population in populations {
        hill.alive[column] += population.maxAlive(from: left, before: right)
        if population.hasFailure(from: left, before: right) { hill.hasFailure[column] = true }
      }
      left = right
    }
    return hill
  }

  /// Returns the cells of a curve.
  ///
  /// - Parameter maxCount: The number that fills a cell.
  func cells(_ hill: Hill, maxCount: Int, color: Style.Color?) -> [BarPainter.Cell] {
    var cells = [BarPainter.Cell](repeating: .init(), count: scale.columns)
    for (column, count) in hill.alive.enumerated() where count > 0 {
      if hill.hasFailure[column] {
        cells[column] = .init(text: glyphs.failed, style: Glyphs.style(.failed))
        continue
      }
      let index = glyphs.densityIndex(count, of: maxCount)
      let shade = UInt8(1 + index * 3 / max(1, glyphs.density.count - 1))
      cells[column] = .init(
        text: glyphs.density[index], style: Style(color: color, shade: shade))
    }
    return cells
  }
}
