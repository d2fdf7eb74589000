import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The path that keeps a subscription alive, with one line for each step. Each step retains the
/// next one.
///
///     closure at SearchScreen.swift:26   captures self strongly      <- break it here: [weak self]
///     SearchScreen.bag                   DisposeBag
///     subscription of search.results     #1, active for 5.16 s, 5 elements
struct RetentionView {
  let retention: Retention
  /// The index of the log of the subscription.
  let log: Int
  let words: FindingWords

  /// Returns the lines of the path. The line about a cycle isn't included, because the finding has
  /// it.
  func lines(_ page: Page, indent: Int) -> [Line] {
    let shown = FindingWords.shownSteps(of: retention)
    let width = min(
      shown.lazy.map { DisplayWidth.columns(of: name(of: $0)) }.max() ?? 0,
      max(8, page.width / 2))
    let firstOfTail = retention.steps.count - retention.tail
    let hasTail = retention.isCycle && retention.tail > 0
    var isInTail = false
    var lines: [Line] = []
    for part in shown {
      if hasTail, !isInTail, part.start >= firstOfTail {
        isInTail = true
        lines.append(
          note("and from the cycle to \(RetentionWords.target(retention)):", page, indent))
      }
      switch part {
      case .omitted(let range):
        lines.append(note("... \(CountText.make(range.count, "more step"))", page, indent))
      case .step(let index):
        lines += step(index, page.cutMiddle(name(of: part), to: width), width, page, indent: indent)
      }
    }
    return lines
  }

  private func name(of part: Retention.Excerpt) -> String {
    if case .step(let index) = part { words.name(of: retention.steps[index]) } else { "" }
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
    line.append(mark)
    return [line]
  }
}

extension Retention.Excerpt {
  /// The index of the first step.
  fileprivate var start: Int {
    switch self {
    case .step(let index): index
    case .omitted(let range): range.lowerBound
    }
  }
}
