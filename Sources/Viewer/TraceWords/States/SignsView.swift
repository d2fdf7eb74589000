package import TerminalUI
import TraceAnalysis
import TraceFormat
package import ViewerConsole

/// The signs in the bars of subscriptions and tasks, with what they mean.
package enum SignsView {
  package struct Entry {
    let sign: String
    let style: Style
    let meaning: String

    package init(sign: String, style: Style, meaning: String) {
      self.sign = sign
      self.style = style
      self.meaning = meaning
    }
  }

  /// Returns all signs, for the help.
  package static func lines(columns: Int, _ page: Page) -> [Line] {
    block("Bars of subscriptions", bars(page.glyphs) + folded(page.glyphs), columns: columns, page)
      + [Line()] + block("Bars of tasks", tasks(page.glyphs), columns: columns, page)
  }

  /// Returns the signs of subscriptions on as few lines as possible, for a corner of the screen.
  package static func legend(columns: Int, _ page: Page) -> [Line] {
    let entries = bars(page.glyphs).map { entry in
      var line = Line(entry.sign, entry.style)
      line.append(" " + entry.meaning, .dim)
      return line
    }
    return Page(width: columns, glyphs: page.glyphs).flow(entries, separator: "  ")
  }

  private static func bars(_ glyphs: Glyphs) -> [Entry] {
    let elements = zip(glyphs.elements, ["element", "2 or more", "10 or more", "100 or more"])
    let ends: [Lifecycle.State] = [.completed, .failed, .disposed, .released]
    return [Entry(sign: glyphs.start, style: .plain, meaning: "subscribed")]
      + elements.map { Entry(sign: $0, style: .bold, meaning: $1) }
      + ends.map { Entry(sign: glyphs[$0], style: Glyphs.style($0), meaning: "\($0)") }
      + [
        Entry(sign: glyphs.active, style: Glyphs.style(.active), meaning: "still active"),
        Entry(sign: glyphs.suspect, style: Glyphs.suspectStyle, meaning: "leak"),
      ]
  }

  private static func folded(_ glyphs: Glyphs) -> [Entry] {
    let signs = [glyphs.density.first, glyphs.density.last].compactMap(\.self).joined()
    return [
      Entry(
        sign: signs, style: .dim,
        meaning: "in a folded lane: the higher, the more are active at the same time"),
      Entry(
        sign: glyphs.elements[0], style: .dim,
        meaning: "at the right edge: a hit, a finding or a failure in this part of the list"),
    ]
  }

  private static func tasks(_ glyphs: Glyphs) -> [Entry] {
    let bar = Glyphs.style(.active)
    let busy = [glyphs.busy.first, glyphs.busy.last].compactMap(\.self).joined()
    let waits: [UnfinishedTask.Wait] = [.continuation, .task, .group, .executor]
    let runs: [Entry] = [
      Entry(sign: glyphs.runs, style: Glyphs.style(.runs, in: bar), meaning: "it runs"),
      Entry(
        sign: busy, style: Glyphs.style(.mixed(percent: 50), in: bar),
        meaning: "it runs and waits in turn: the higher, the more it runs"),
    ]
    return runs
      + waits.map { wait in
        Entry(
          sign: glyphs.sign(wait), style: Glyphs.style(.waits(wait), in: bar),
          meaning: "it waits " + TaskWords.purpose(wait))
      }
  }

  /// Returns signs with their meanings below a title.
  package static func block(
    _ title: String, _ entries: [Entry], columns: Int, _ page: Page
  ) -> [Line] {
    let text = Page(width: max(4, columns - 6), glyphs: page.glyphs)
    return [Line(page.cut(title, to: columns), .bold)]
      + entries.flatMap { entry in
        text.wrap(entry.meaning).enumerated().map { row, words in
          var line = Line("  ")
          line.append(row == 0 ? entry.sign : "", entry.style)
          line.pad(to: 6)
          line.append(words.text)
          return line.cut(to: columns, ellipsis: page.glyphs.ellipsis)
        }
      }
  }
}
