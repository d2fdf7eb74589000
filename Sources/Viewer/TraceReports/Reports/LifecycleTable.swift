import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A table with a line for each lane that sums up how its subscriptions ended.
struct LifecycleTable {
  let lanes: [LaneSummary]
  let total: LaneSummary

  /// The maximum number of lanes. Additional ones are summed up in one line.
  private let maxLanes: Int

  init(_ figures: ExcerptFigures, _ options: ReportOptions) {
    lanes = options.sort(LaneSummary.lanes(of: figures))
    total = LaneSummary.total(of: figures, name: "total")
    maxLanes = options.maxCount(40)
  }

  private struct Column {
    let title: String
    let short: String
    /// The priority of the column. Columns with a lower one are dropped first if there is not
    /// enough room.
    let worth: Int
    let style: Style
    let value: (LaneSummary) -> String
  }

  func lines(_ page: Page) -> [Line] {
    let shown = lanes.prefix(maxLanes)
    let rows = Array(shown) + (lanes.count > 1 ? [total] : [])
    let names = rows.map { page.safe($0.lane) }
    let laneRoom = min(names.map { DisplayWidth.columns(of: $0) }.max() ?? 4, page.width * 3 / 10)
    let laneWidth = max(laneRoom, 4)
    let (columns, isShort) = fitting(rows, page.width - laneWidth, page)

    var lines = [line("LANE", columns, laneWidth, page) { isShort ? $0.short : $0.title }]
    for (row, name) in zip(rows, names) {
      let isTotal = lanes.count > 1 && lines.count == rows.count
      if isTotal, lanes.count > shown.count {
        lines += page.wrap("+\(CountText.make(lanes.count - shown.count, "more lane"))", .dim)
      }
      lines.append(line(row, name, columns, laneWidth, isShort, page, isTotal ? .bold : .plain))
    }
    return lines
  }

  private func columns(_ page: Page) -> [Column] {
    let none = page.glyphs.none
    func count(_ value: Int) -> String { value == 0 ? none : CountText.number(value) }
    func state(_ title: String, _ short: String, _ worth: Int, _ state: Lifecycle.State) -> Column {
      Column(title: title, short: short, worth: worth, style: Glyphs.style(state)) {
        count($0[state])
      }
    }
    func life(
      _ title: String, _ short: String, _ worth: Int,
      _ value: @escaping (LaneSummary.Lives) -> Nanoseconds
    ) -> Column {
      Column(title: title, short: short, worth: worth, style: .plain) { summary in
        summary.lives.map { page.duration(value($0)) } ?? none
      }
    }
    return [
      Column(title: "STARTED", short: "START", worth: 9, style: .plain) { count($0.started) },
      state("ACTIVE", "ACT", 10, .active),
      state("COMPLETED", "COMPL", 6, .completed),
      state("FAILED", "FAIL", 8, .failed),
      state("DISPOSED", "DISP", 7, .disposed),
      state("RELEASED", "RELE", 5, .released),
      Column(title: "ELEMENTS", short: "ELEM", worth: 4, style: .plain) { count($0.elements) },
      life("SHORTEST", "SHORT", 1) { $0.shortest },
      life("MEDIAN", "MEDIAN", 3) { $0.median },
      life("LONGEST", "LONG", 2) { $0.longest },
    ]
  }

  /// Returns the columns that fit: all with long titles, all with short titles, or those with the
  /// highest priority.
  private func fitting(
    _ rows: [LaneSummary], _ room: Int, _ page: Page
  ) -> (columns: [(Column, Int)], isShort: Bool) {
    let all = columns(page)
    func widths(_ columns: [Column], isShort: Bool) -> [(Column, Int)] {
      columns.map { column in
        let values = rows.map { DisplayWidth.columns(of: column.value($0)) }
        return (column, max(values.max() ?? 0, (isShort ? column.short : column.title).utf8.count))
      }
    }
    for isShort in [false, true] {
      let measured = widths(all, isShort: isShort)
      if measured.reduce(0, { $0 + $1.1 + 2 }) <= room { return (measured, isShort) }
    }
    var kept = widths(all, isShort: true)
    while kept.reduce(0, { $0 + $1.1 + 2 }) > room,
      let dropped = kept.indices.min(by: { kept[$0].0.worth < kept[$1].0.worth })
    {
      kept.remove(at: dropped)
    }
    return (kept, true)
  }

  private func line(
    _ name: String, _ columns: [(Column, Int)], _ laneWidth: Int, _ page: Page,
    _ title: (Column) -> String
  ) -> Line {
    var line = Line(DisplayWidth.pad(name, to: laneWidth), .bold)
    for (column, width) in columns {
      line.append("  " + DisplayWidth.padLeft(title(column), to: width), .bold)
    }
    return line
  }

  private func line(
    _ row: LaneSummary, _ name: String, _ columns: [(Column, Int)], _ laneWidth: Int,
    _ isShort: Bool, _ page: Page, _ style: Style
  ) -> Line {
    var line = Line(DisplayWidth.pad(page.cutMiddle(name, to: laneWidth), to: laneWidth), style)
    for (column, width) in columns {
      let value = column.value(row)
      line.append("  " + DisplayWidth.spaces(width - DisplayWidth.columns(of: value)))
      line.append(value, value == page.glyphs.none ? .dim : column.style)
    }
    return line
  }
}
