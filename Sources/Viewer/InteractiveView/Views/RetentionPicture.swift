import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A picture of what keeps a subscription alive: the steps below each other, joined by lines. A
/// line at the left leads from the end of a cycle back to its beginning.
///
///     ╭▶┬─ closure at SearchScreen.swift:26  captures self strongly  ◀─ break it here
///     │ ├─ SearchScreen.bag                  DisposeBag
///     ╰─┴─ subscription of search.results    #1
struct RetentionPicture {
  struct Row {
    let line: Line
    /// The index of the step that the row is about.
    let step: Int?
  }

  private let retention: Retention
  private let page: Page
  private let signs: Signs
  private let remedy: Retention.Remedy?
  /// What only the cycle keeps alive, which is below the last step.
  private let held: HeldPicture
  private let parts: [Part]

  /// A step with its text, or some steps that are left out.
  private enum Part {
    case step(Int, what: String, detail: String)
    case omitted(Range<Int>)
  }

  /// The maximum number of steps. Nobody reads that many.
  private static let maxSteps = 500
  private static let longestText = 1000
  private static let gap = "  "

  /// Creates the picture.
  ///
  /// - Parameters:
  ///   - number: The index of the log of the subscription.
  ///   - held: What only the cycle keeps alive.
  init(
    _ retention: Retention, log number: Int, of log: LogAnalysis, _ page: Page,
    held: [LeakedObjects.Class] = []
  ) {
    self.retention = retention
    self.page = page
    self.held = HeldPicture(classes: held, page: page)
    signs = (page.glyphs.isASCII ? Signs.ascii : .unicode).with(branches: !held.isEmpty)
    remedy = RetentionWords.remedy(retention)
    let words = FindingWords(log: log, page: Page(width: Self.longestText, glyphs: page.glyphs))
    parts = retention.excerpt(max: Self.maxSteps).map { part in
      switch part {
      case .omitted(let range): return .omitted(range)
      case .step(let index):
        let step = retention.steps[index]
        return .step(index, what: words.name(of: step), detail: words.detail(of: step, log: number))
      }
    }
  }

  /// The number of columns for text, without the lines.
  private var room: Int { max(4, page.width - Signs.width) }

  /// The column of details, if the name of the step ends before it.
  private var detailColumn: Int {
    let widths = parts.lazy.compactMap { part -> Int? in
      if case .step(_, let what, _) = part { DisplayWidth.columns(of: what) } else { nil }
    }
    return widths.filter { $0 <= room / 2 }.max() ?? 0
  }

  var rows: [Row] {
    let column = detailColumn
    var rows: [Row] = []
    for part in parts {
      switch part {
      case .step(let index, let what, let detail): rows += step(index, what, detail, column)
      case .omitted(let range):
        let count = CountText.make(range.count, "more step")
        rows += row(signs.below(range.lowerBound - 1, retention), [Line(count, .dim)], step: nil)
      }
    }
    return rows + held.lines.map { Row(line: $0, step: nil) }
  }

  private func step(_ index: Int, _ what: String, _ detail: String, _ column: Int) -> [Row] {
    let isBreak = index == retention.breakIndex
    let isLast = index == retention.steps.count - 1
    let style = isBreak ? Glyphs.suspectStyle : isLast ? .bold : .plain
    var lines = page.pieces(what, width: room).map { Line($0, style) }
    if !detail.isEmpty {
      var joined = lines[0]
      joined.pad(to: column)
      joined.append(Self.gap + detail, .dim)
      if lines.count == 1, joined.columns <= room {
        lines[0] = joined
      } else {
        lines += page.pieces(detail, width: max(4, room - 2)).map { Line(Self.gap + $0, .dim) }
      }
    }
    if isBreak { addMark(to: &lines) }
    var rows = row(
      signs.before(index, retention), below: signs.below(index, retention), lines, step: index)
    if let end = signs.closing(index, retention) { rows += row(end, [Line()], step: index) }
    return rows
  }

  /// Marks the step to break, with the way to break it. Text that does not fit on its line is below
  /// it.
  private func addMark(to lines: inout [Line]) {
    let narrow = Page(width: room, glyphs: page.glyphs)
    let advice = remedy.map { page.safe(page.beginning($0.text, Self.longestText * 4)) } ?? ""
    let mark = "\(signs.mark) \(RetentionWords.mark)"
    if lines.count == 1, fits(mark + ": " + advice, after: lines[0]), !advice.isEmpty {
      lines[0].append(Self.gap)
      lines[0].append(mark + ": ", Glyphs.suspectStyle)
      return lines[0].append(advice)
    }
    if lines.count == 1, fits(mark, after: lines[0]) {
      lines[0].append(Self.gap)
      lines[0].append(mark, Glyphs.suspectStyle)
    } else {
      lines += narrow.wrap(mark, Glyphs.suspectStyle, indent: Self.gap.count)
    }
    lines += narrow.wrap(advice, indent: Self.gap.count)
  }

  private func fits(_ text: String, after line: Line) -> Bool {
    line.columns + Self.gap.count + DisplayWidth.columns(of: text) <= room
  }

  private func row(_ sign: String, _ lines: [Line], step: Int?) -> [Row] {
    row(sign, below: sign, lines, step: step)
  }

  /// Returns rows of lines with a sign before the first one, and another one before the others.
  private func row(_ sign: String, below: String, _ lines: [Line], step: Int?) -> [Row] {
    lines.enumerated().map { number, text in
      var line = Line(number == 0 ? sign : below, Self.lineStyle)
      if !text.spans.isEmpty { line.append(" ") }
      line.append(text)
      return Row(line: line, step: step)
    }
  }

  private static let lineStyle = Style(color: Glyphs.suspectStyle.color)
}

/// The signs that draw the lines next to the steps. All have the same width.
private struct Signs {
  /// The width of a sign and of the gap after it.
  static let width = 5

  let first, middle, last, fork, loopEnd, loopFork: String
  let pathFirst, pathMiddle, pathLast, pathOnly: String
  let belowCycle, belowPath, belowNothing: String
  let mark: String
  /// A Boolean value that indicates whether something hangs on the last step.
  private(set) var hasBranches = false

  func with(branches: Bool) -> Signs {
    var signs = self
    signs.hasBranches = branches
    return signs
  }

  static let unicode = Signs(
    first: "╭▶┬─", middle: "│ ├─", last: "╰─┴─", fork: "╰─┼─", loopEnd: "╰─╯", loopFork: "╰─┤",
    pathFirst: "  ╭─", pathMiddle: "  ├─", pathLast: "  ╰▶", pathOnly: "   ▶",
    belowCycle: "│ │ ", belowPath: "  │ ", belowNothing: "    ", mark: "◀─")

  static let ascii = Signs(
    first: "+>+-", middle: "| +-", last: "+-+-", fork: "+-+-", loopEnd: "+-+", loopFork: "+-+",
    pathFirst: "  +-", pathMiddle: "  +-", pathLast: "  +>", pathOnly: "   >",
    belowCycle: "| | ", belowPath: "  | ", belowNothing: "    ", mark: "<-")

  /// Returns the sign before the name of a step.
  func before(_ index: Int, _ retention: Retention) -> String {
    let end = retention.steps.count - 1
    let cycleEnd = retention.cycle.count - 1
    if index > cycleEnd {
      if retention.steps.count == 1 { return pathOnly }
      return index == end ? pathLast : index == 0 ? pathFirst : pathMiddle
    }
    if index == 0 { return first }
    if index < cycleEnd { return middle }
    return continues(retention) ? fork : last
  }

  /// Returns the sign below a step, next to the rest of its text.
  func below(_ index: Int, _ retention: Retention) -> String {
    let cycleEnd = retention.cycle.count - 1
    if index < cycleEnd || (index == 0 && cycleEnd == 0) { return belowCycle }
    return index < retention.steps.count - 1 || hasBranches ? belowPath : belowNothing
  }

  /// Returns the sign below a step that retains itself, where its line returns to it.
  func closing(_ index: Int, _ retention: Retention) -> String? {
    guard retention.cycle.count == 1, index == 0 else { return nil }
    return continues(retention) ? loopFork : loopEnd
  }

  private func continues(_ retention: Retention) -> Bool { retention.tail > 0 || hasBranches }
}

/// The classes that leaked objects keep alive, as branches below a retain cycle or below a title:
///
///     ╰─┼─ Ranger.forest   Forest
///       │  keeps alive
///       ├╌ 1,000 × Leaf    24,000 bytes
///       ╰╌ 101 × Array     11,960 bytes
struct HeldPicture {
  let classes: [LeakedObjects.Class]
  let page: Page

  /// The maximum number of classes.
  private static let maxClasses = 12
  private static let gap = "  "

  var lines: [Line] {
    guard !classes.isEmpty else { return [] }
    let isASCII = page.glyphs.isASCII
    let (trunk, fork, end) = isASCII ? ("  |  ", "  +. ", "  +. ") : ("  │  ", "  ├╌ ", "  ╰╌ ")
    var rows = classes.prefix(Self.maxClasses).map { item in
      let name = item.name.isEmpty ? "memory" : page.safe(item.name)
      let count = "\(CountText.number(item.count)) \(page.glyphs.times)"
      return (what: "\(count) \(name)", bytes: item.bytes)
    }
    let rest = classes.dropFirst(Self.maxClasses)
    if !rest.isEmpty {
      let bytes = rest.reduce(0) { $0 + $1.bytes }
      rows.append((CountText.make(rest.count, "other class", "other classes"), bytes))
    }
    let sizes = rows.map { CountText.make($0.bytes, "byte") }
    let sizeWidth = sizes.map { DisplayWidth.columns(of: $0) }.max() ?? 0
    let room = max(8, page.width - trunk.count - Self.gap.count - sizeWidth)
    let names = rows.map { page.cutMiddle($0.what, to: room) }
    let width = names.map { DisplayWidth.columns(of: $0) }.max() ?? 0
    let lines = names.indices.map { index in
      var line = Line(index == names.count - 1 ? end : fork, .dim)
      line.append(DisplayWidth.pad(names[index], to: width))
      line.append(Self.gap + DisplayWidth.padLeft(sizes[index], to: sizeWidth), .dim)
      return line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)
    }
    var title = Line(trunk, .dim)
    title.append("keeps alive", .dim)
    return [title.cut(to: page.width, ellipsis: page.glyphs.ellipsis)] + lines
  }
}
