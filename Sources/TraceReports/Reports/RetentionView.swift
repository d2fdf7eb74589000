import TerminalUI
import TraceAnalysis
import TraceWords
import ViewerBase

/// The path that keeps a subscription alive, a line for each step. Each step holds the next one.
///
///     closure at SearchScreen.swift:26   captures self strongly      <- break it here: [weak self]
///     SearchScreen.bag                   DisposeBag
///     subscription of search.results     #1, active for 5.16 s, 5 elements
struct RetentionView {
  let retention: Retention
  /// The index of the log of the subscription.
  let log: Int
  let words: FindingWords

  /// The maximum number of steps. Of a longer path, the steps at both ends and around the one to
  /// break are shown.
  private static let mostSteps = 16

  /// Returns the lines, without a line about a cycle, which the finding has.
  func lines(_ page: Page, indent: Int) -> [Line] {
    let shown = RetentionView.shown(of: retention)
    let names = shown.map { words.name(of: retention.steps[$0]) }
    let width = min(
      names.lazy.map { DisplayWidth.columns(of: $0) }.max() ?? 0, max(8, page.width / 2))
    var lines: [Line] = []
    var next = 0
    for (index, name) in zip(shown, names) {
      if index > next {
        let hidden = CountText.make(index - next, "more step")
        lines.append(note("... \(hidden)", page, indent))
      }
      if retention.isCycle, retention.tail > 0, index >= retention.steps.count - retention.tail,
        next <= retention.steps.count - retention.tail
      {
        lines.append(note("and from the cycle to the subscription:", page, indent))
      }
      lines += step(index, page.cutMiddle(name, to: width), width, page, indent: indent)
      next = index + 1
    }
    return lines
  }

  private func note(_ text: String, _ page: Page, _ indent: Int) -> Line {
    Line(DisplayWidth.spaces(indent) + text, .dim)
      .cut(to: page.width, ellipsis: page.glyphs.ellipsis)
  }

  private func step(
    _ index: Int, _ name: String, _ width: Int, _ page: Page, indent: Int
  ) -> [Line] {
    var line = Line(DisplayWidth.spaces(indent) + name)
    let detail = words.detail(of: retention.steps[index], log: log)
    if !detail.isEmpty {
      line.pad(to: indent + width + 3)
      line.append(detail)
    }
    line = line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)
    guard index == retention.breakIndex else { return [line] }
    let mark = Line(words.mark(retention), Glyphs.suspectStyle)
    guard line.columns + 6 + mark.columns <= page.width else {
      return [line]
        + words.wrap(words.mark(retention), Glyphs.suspectStyle, indent: page.indent(indent + 2))
    }
    line.append(DisplayWidth.spaces(6))
    for span in mark.spans { line.append(span.text, span.style) }
    return [line]
  }

  /// Returns the indices of the steps to show.
  static func shown(of retention: Retention) -> [Int] {
    let steps = retention.steps.indices
    guard steps.count > mostSteps else { return Array(steps) }
    let mark = retention.breakIndex ?? 0
    return steps.filter { $0 < 7 || $0 >= steps.count - 6 || abs($0 - mark) <= 1 }
  }
}
