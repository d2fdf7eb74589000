import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The signs in the bars of tasks, with what they mean.
enum SignsView {
  static func lines(columns: Int, _ page: Page) -> [Line] {
    let glyphs = page.glyphs
    let bar = Glyphs.style(.active)
    let busy = [glyphs.busy.first, glyphs.busy.last].compactMap(\.self).joined()
    let waits: [UnfinishedTask.Wait] = [.continuation, .task, .group, .executor]
    let entries =
      [
        (glyphs.runs, TaskCell.runs, "it runs"),
        (busy, .mixed(percent: 50), "it runs and waits in turn: the higher, the more it runs"),
      ] + waits.map { (glyphs.sign($0), .waits($0), "it waits " + TaskWords.purpose($0)) }
    let text = Page(width: max(4, columns - 6), glyphs: glyphs)
    return [Line(page.cut("Bars of tasks", to: columns), .bold)]
      + entries.flatMap { sign, cell, meaning in
        text.wrap(meaning).enumerated().map { row, words in
          var line = Line("  ")
          line.append(row == 0 ? sign : "", Glyphs.style(cell, in: bar))
          line.pad(to: 6)
          line.append(words.text)
          return line.cut(to: columns, ellipsis: glyphs.ellipsis)
        }
      }
  }
}
