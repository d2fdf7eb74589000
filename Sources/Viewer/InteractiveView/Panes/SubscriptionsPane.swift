import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

extension PaneID {
  static let subscriptions = PaneID(title: "Subscriptions")
}

/// The pane with the subscriptions of the selected lane.
struct SubscriptionsPane: Pane {
  static let id = PaneID.subscriptions
  static let help = "list the subscriptions of the lane"

  /// The listed subscriptions, as indices in the lifecycles, in the requested order.
  private(set) var members: MemberList = []
  private(set) var list = ListPosition()
  /// What the members belong to.
  private var source: Source?
  /// The key of the lane that was selected when the members were listed, or to which a key of the
  /// pane led since.
  private var selectedLane: [String]?
  private var isOutdated = true

  private enum Source: Equatable {
    /// A lane or a group of lanes, by its key.
    case lane([String])
    case all
  }

  private func height(_ viewer: Viewer) -> Int { max(1, viewer.layout.pane.count - 1) }

  func subject(in viewer: Viewer) -> String? {
    let page = viewer.page
    let times = page.glyphs.times
    if source == .all { return "all \(times)\(CountText.number(members.count))" }
    guard let lane = listedLane(in: viewer) else { return nil }
    // A lane is on several lines of the timeline if it was made for different lanes.
    let all = viewer.outline.lanes.lazy.filter { $0.name == lane.name }
      .reduce(0) { $0 + $1.members.count }
    let isPart = !lane.members.isEmpty && all > lane.listed.count
    let whole = isPart ? " of \(CountText.number(all)) in the log" : ""
    let count = CountText.number(lane.listed.count)
    return "\(page.safe(lane.name)) \(times)\(count)\(whole)"
  }

  /// Returns the lane or the group whose subscriptions are listed.
  private func listedLane(in viewer: Viewer) -> TimelineRows.Lane? {
    guard case .lane(let key) = source, let lane = viewer.outline.lane(of: key) else { return nil }
    return viewer.outline.lanes[lane]
  }

  /// Returns whether subscriptions of several lanes are listed.
  private func hasSeveralLanes(_ viewer: Viewer) -> Bool {
    source == .all || listedLane(in: viewer)?.members.isEmpty == true
  }

  mutating func forgetLog() {
    isOutdated = true
    members = []
  }

  var listsAll: Bool { source == .all }

  /// Lists all subscriptions until another lane is selected, or those of the selected lane.
  mutating func list(all: Bool, in viewer: Viewer) {
    selectedLane = viewer.timeline.selectedLane?.key
    source = all ? .all : selectedLane.map { .lane($0) }
    isOutdated = true
    adapt(to: viewer)
  }

  /// Lists the subscriptions of the selected lane, and selects the chosen one.
  ///
  /// A list of several lanes stays the same while its keys lead from one of them to another.
  mutating func adapt(to viewer: Viewer) {
    let selected = viewer.timeline.selectedLane?.key
    let isSame = selected == selectedLane && (source == .all || listedLane(in: viewer) != nil)
    if !isSame { source = selected.map { .lane($0) } }
    if !isSame || isOutdated {
      selectedLane = selected
      isOutdated = false
      members = LaneRanking(viewer.viewed.arrangement.order, viewer.log).sort(all(in: viewer))
    }
    let height = height(viewer)
    guard let chosen = viewer.timeline.chosen, selectedMember != chosen else {
      return list.scroll(count: members.count, height: height)
    }
    if let row = row(of: chosen, in: viewer.viewed) {
      list.go(to: row, count: members.count, height: height)
    }
  }

  /// Returns the subscriptions to list, in the order of their beginnings.
  private func all(in viewer: Viewer) -> MemberList {
    guard source == .all else { return listedLane(in: viewer)?.listed ?? [] }
    return viewer.viewed.spans.inOrder(viewer.viewed.excerpt.members)
  }

  private var selectedMember: Int? {
    members.indices.contains(list.row) ? members[list.row] : nil
  }

  /// Returns the row of a subscription in the list.
  private func row(of index: Int, in viewed: ViewedLog) -> Int? {
    guard viewed.arrangement.order == .time else { return members.firstIndex(of: index) }
    let key = (viewed.log.lifecycles[index].start, index)
    let row = members.partitionPoint { (viewed.spans[$0].start, $0) >= key }
    return row < members.count && members[row] == index ? row : nil
  }

  mutating func move(_ movement: PaneMovement, in viewer: inout Viewer) {
    select(movement.target(from: list.row, count: members.count), in: &viewer)
  }

  mutating func click(_ position: PanePosition, in viewer: inout Viewer) {
    // The first row has the titles.
    if position.row > 0 { select(list.first + position.row - 1, in: &viewer) }
  }

  private mutating func select(_ row: Int, in viewer: inout Viewer) {
    list.go(to: row, count: members.count, height: height(viewer))
    guard let selectedMember else { return }
    viewer.go(to: selectedMember)
    // The subscription may be in another line of the group, but the list stays the same.
    selectedLane = viewer.timeline.selectedLane?.key
  }

  mutating func open(in viewer: inout Viewer) { viewer.show(.detail) }

  // MARK: Lines

  private typealias Column = ListColumn<Int>

  /// The minimum and the maximum number of columns that are kept free for the source location.
  private static let sourceWidths = (min: 14, max: 32)

  /// Returns the number of columns in which the places of the shown lines fit without folders.
  private func sourceWidth(_ shown: [Int], _ viewer: Viewer) -> Int {
    let widths = shown.map { index in
      let source = viewer.log.lifecycles[index].site.source ?? ""
      return DisplayWidth.columns(of: viewer.page.safe(PlacedText.withoutFolders(source))) + 1
    }
    return max(Self.sourceWidths.min, min(widths.max() ?? 0, Self.sourceWidths.max))
  }

  func lines(_ viewer: Viewer) -> [Line] {
    guard !members.isEmpty else { return [Line("no subscriptions in this lane", .dim)] }
    let shown = members.indices.dropFirst(list.first).prefix(max(0, viewer.layout.pane.count - 1))
    let columns = columns(shown.map { members[$0] }, viewer)
    let hasTasks = shown.contains { viewer.log.presentWait(of: members[$0]) != nil }
    let isObjects = shown.contains { viewer.log.lifecycles[members[$0]].isObject }
    let last = hasTasks ? "NOW, OR MADE AT" : isObjects ? "SOURCE" : "MADE AT"
    let sorted = Self.titles[viewer.viewed.arrangement.order]
    let sign = viewer.page.glyphs.unfolded
    let titles = columns.map { ($0, $0.title == sorted ? $0.title + sign : $0.title) }
    return [row(titles, last, .dim, viewer.page)]
      + shown.map { line(members[$0], columns, isSelected: $0 == list.row, viewer) }
  }

  /// The titles of the columns by which an order sorts.
  private static let titles: [ListOrder: String] = [
    .time: "START", .lane: "LANE", .elements: "ELEMENTS", .life: "LIFE", .state: "STATE",
  ]

  private func columns(_ shown: [Int], _ viewer: Viewer) -> [Column] {
    let log = viewer.log
    let page = viewer.page
    let isObjects = !shown.isEmpty && shown.allSatisfy { log.lifecycles[$0].isObject }
    guard !isObjects else { return objectColumns(shown, viewer) }
    let names = shown.map { DisplayWidth.columns(of: page.safe(log.name(of: log.lifecycles[$0]))) }
    let lanes = hasSeveralLanes(viewer) ? [laneColumn(shown, viewer)] : []
    let columns =
      lanes + [
        Column(
          title: "SUB", width: min(max(8, names.max() ?? 0) + 1, max(9, page.width / 4)), worth: 9,
          isNumber: false
        ) { page.safe(log.name(of: log.lifecycles[$0])) },
        Column(title: "STATE", width: 12, worth: 8, isNumber: false) { index in
          let isSuspect = viewer.viewed.suspects.contains(index)
          let state = log.lifecycles[index].state
          return "\(page.glyphs.sign(state, isSuspect: isSuspect)) \(state)"
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
    // Tasks don't have elements.
    let isTasks = shown.allSatisfy { log.lifecycles[$0].isTask && log.lifecycles[$0].elements == 0 }
    return Column.fitting(
      isTasks ? columns.dropLast() : columns, into: viewer.terminal.columns,
      nextTo: sourceWidth(shown, viewer), minCount: 2)
  }

  private func laneColumn(_ shown: [Int], _ viewer: Viewer) -> Column {
    let (log, page) = (viewer.log, viewer.page)
    let name = { (index: Int) in page.safe(log.lifecycles[index].site.lane) }
    let widest = shown.map { DisplayWidth.columns(of: name($0)) }.max() ?? 0
    let width = max("LANE".count + 2, min(widest + 1, page.width / 4))
    return Column(title: "LANE", width: width, worth: 10, isNumber: false) {
      page.cutMiddle(name($0), to: width - 1)
    }
  }

  private func objectColumns(_ shown: [Int], _ viewer: Viewer) -> [Column] {
    let log = viewer.log
    let columns = [
      Column(title: "OBJECTS", width: 12, worth: 8) {
        CountText.number(log.leakedObjects(of: $0)?.objectCount ?? 0)
      },
      Column(title: "BYTES", width: 16, worth: 7) {
        CountText.number(log.leakedObjects(of: $0)?.bytes ?? 0)
      },
    ]
    return Column.fitting(
      columns, into: viewer.terminal.columns, nextTo: sourceWidth(shown, viewer), minCount: 1)
  }

  private func line(_ index: Int, _ columns: [Column], isSelected: Bool, _ viewer: Viewer) -> Line {
    let page = viewer.page
    let lifecycle = viewer.log.lifecycles[index]
    let values = columns.map { ($0, $0.value(index)) }
    let room = page.width - columns.reduce(1) { $0 + $1.width }
    let made = place(index, width: max(1, room), viewer)
    if isSelected, viewer.focus == .pane {
      let text = row(values, made, .plain, page).text
      return Line(DisplayWidth.pad(text, to: page.width), .reversed)
    }
    let isSuspect = viewer.viewed.suspects.contains(index)
    let base: Style = isSelected ? .bold : .plain
    return row(
      values, made, base, page,
      place: viewer.sources.linked(base, to: viewer.log.lifecycles[index].site.source),
      state: Glyphs.style(lifecycle.state, isSuspect: isSuspect))
  }

  /// Returns what a task that hasn't ended waits for, or else where a subscription was made.
  private func place(_ index: Int, width: Int, _ viewer: Viewer) -> String {
    let page = viewer.page
    if let present = viewer.log.presentWait(of: index) {
      return TaskWords(viewer.log, page).sentence(present, of: index)
    }
    let site = viewer.log.lifecycles[index].site
    let source = page.safe(site.source ?? "not in the log")
    guard DisplayWidth.columns(of: source) <= width else {
      return PlacedText.fit(source, to: width, page)
    }
    return source + (site.function.map { "  " + page.safe($0) } ?? "")
  }

  private func row(
    _ values: [(column: Column, text: String)], _ last: String, _ style: Style, _ page: Page,
    place: Style? = nil, state: Style? = nil
  ) -> Line {
    var line = Line()
    for (column, value) in values {
      let cut = page.cut(value, to: column.width - 1)
      let text =
        column.isNumber
        ? DisplayWidth.padLeft(cut, to: column.width - 1) + " "
        : DisplayWidth.pad(cut, to: column.width)
      line.append(text, column.title == "STATE" ? state ?? style : style)
    }
    line.append(" ", style)
    line.append(last, place ?? style)
    return line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)
  }
}
