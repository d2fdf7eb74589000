import TerminalUI
import TraceAnalysis
import TraceFormat

/// The subscriptions of the selected lane.
struct SubscriptionList {
  private let viewer: Viewer
  private let height: Int

  init(_ viewer: Viewer, _ layout: ViewLayout) {
    self.viewer = viewer
    height = layout.pane.count - 1
  }

  private typealias Column = ListColumn<Int>

  /// The minimum width of the source location.
  private static let placeRoom = 14

  var lines: [Line] {
    let members = viewer.lists.members
    guard !members.isEmpty else { return [Line("no subscriptions in this lane", .dim)] }
    let list = viewer.lists.subscriptions
    let shown = members.indices.dropFirst(list.first).prefix(max(0, height))
    let columns = columns(shown.map { members[$0] })
    return [row(columns.map { ($0, $0.title) }, "MADE AT", .dim)]
      + shown.map { line(members[$0], columns, isSelected: $0 == list.row) }
  }

  private func columns(_ shown: [Int]) -> [Column] {
    let log = viewer.log
    let page = viewer.page
    let names = shown.map { DisplayWidth.columns(of: page.safe(log.name(of: log.lifecycles[$0]))) }
    let columns = [
      Column(
        title: "SUB", width: min(max(8, names.max() ?? 0) + 1, max(9, page.width / 4)), worth: 9,
        isNumber: false
      ) { page.safe(log.name(of: log.lifecycles[$0])) },
      Column(title: "STATE", width: 12, worth: 8, isNumber: false) { index in
        let isSuspect = viewer.viewed.suspects.contains(index)
        let state = log.lifecycles[index].state
        return "\(isSuspect ? page.glyphs.suspect : page.glyphs[state]) \(state)"
      },
      Column(title: "START", width: 11, worth: 5) {
        page.duration(log.lifecycles[$0].start)
      },
      Column(title: "LIFE", width: 11, worth: 7) {
        page.duration(log.age(of: log.lifecycles[$0]))
      },
      Column(title: "ELEMENTS", width: 12, worth: 6) {
        CountText.number(log.lifecycles[$0].elements)
      },
    ]
    return Column.fitting(
      columns, into: viewer.columns, beside: Self.placeRoom, least: 2)
  }

  private func line(_ index: Int, _ columns: [Column], isSelected: Bool) -> Line {
    let lifecycle = viewer.log.lifecycles[index]
    let values = columns.map { ($0, $0.value(index)) }
    var made = viewer.page.safe(lifecycle.site.source ?? "not in the log")
    if let function = lifecycle.site.function { made += "  " + viewer.page.safe(function) }
    if isSelected, viewer.focus == .pane {
      return Line(DisplayWidth.pad(row(values, made, .plain).text, to: viewer.columns), .reversed)
    }
    let isSuspect = viewer.viewed.suspects.contains(index)
    return row(
      values, made, isSelected ? .bold : .plain,
      state: isSuspect ? Glyphs.suspectStyle : Glyphs.style(lifecycle.state))
  }

  private func row(
    _ values: [(column: Column, text: String)], _ last: String, _ style: Style,
    state: Style? = nil
  ) -> Line {
    var line = Line()
    for (column, value) in values {
      let cut = viewer.page.cut(value, to: column.width - 1)
      let text =
        column.isNumber
        ? DisplayWidth.padLeft(cut, to: column.width - 1) + " "
        : DisplayWidth.pad(cut, to: column.width)
      line.append(text, column.title == "STATE" ? state ?? style : style)
    }
    line.append(" " + last, style)
    return line.cut(to: viewer.columns, ellipsis: viewer.page.glyphs.ellipsis)
  }
}
