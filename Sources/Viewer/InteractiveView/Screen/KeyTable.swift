import TerminalUI

/// The only list of the keys of the viewer, with their meanings and their help text.
enum KeyTable {
  /// The meaning of a key.
  enum Meaning: Hashable, Sendable {
    case command(ViewerCommand)
    /// Shows a pane.
    case pane(PaneID)
  }

  struct Binding: Sendable {
    let keys: [KeyPress]
    let meaning: Meaning
    let help: String

    init(_ keys: [KeyPress], _ command: ViewerCommand, _ help: String) {
      self.init(keys, .command(command), help)
    }

    init(_ keys: [KeyPress], _ meaning: Meaning, _ help: String) {
      self.keys = keys
      self.meaning = meaning
      self.help = help
    }

    /// Returns the keys in the notation of help and hints.
    func names(isASCII: Bool) -> String {
      keys.map { KeyName.of($0, isASCII: isASCII) }.joined(separator: " ")
    }
  }

  struct Section: Sendable {
    let title: String
    let bindings: [Binding]
  }

  static func meaning(of key: KeyPress) -> Meaning? { meanings[key] }

  /// Returns the name of the first key of a command.
  static func key(of command: ViewerCommand, isASCII: Bool) -> String {
    let key = bindings.first { $0.meaning == .command(command) }?.keys.first
    return key.map { KeyName.of($0, isASCII: isASCII) } ?? ""
  }

  /// All bindings, in the order of the help.
  static var bindings: [Binding] { sections.flatMap(\.bindings) }

  private static let meanings = Dictionary(
    bindings.flatMap { binding in binding.keys.map { ($0, binding.meaning) } },
    uniquingKeysWith: { first, _ in first })

  static let sections = [
    Section(title: "Move", bindings: moving), Section(title: "Zoom", bindings: zooming),
    Section(title: "Jump", bindings: jumping), Section(title: "View", bindings: viewing + panes),
    Section(title: "Find", bindings: finding), Section(title: "Replay", bindings: replaying),
    Section(title: "Export", bindings: exporting), Section(title: "Program", bindings: program),
  ]

  private static let moving = [
    Binding([.init(.left), .init("h")], .left, "one column earlier; fold a finding"),
    Binding([.init(.right), .init("l")], .right, "one column later; unfold a finding"),
    Binding([.init(.left, .shift), .init("(")], .farLeft, "ten columns earlier"),
    Binding([.init(.right, .shift), .init(")")], .farRight, "ten columns later"),
    Binding([.init(.up), .init("k")], .up, "up one row"),
    Binding([.init(.down), .init("j")], .down, "down one row"),
    Binding([.init(.pageUp), .control("b")], .pageUp, "up one page"),
    Binding([.init(.pageDown), .control("f")], .pageDown, "down one page"),
    Binding([.init(.home), .init("g")], .first, "to the start of the log or the list"),
    Binding([.init(.end), .init("G")], .last, "to the end; follows a growing log"),
  ]

  private static let zooming = [
    Binding([.init("+"), .init("w"), .init("=")], .zoomIn, "zoom in at the cursor"),
    Binding([.init("-"), .init("s"), .init("_")], .zoomOut, "zoom out"),
    Binding([.init("a")], .panLeft, "scroll to earlier times"),
    Binding([.init("d")], .panRight, "scroll to later times"),
    Binding([.init("f")], .fit, "fit the marks, the subscription, or everything"),
  ]

  private static let jumping = [
    Binding([.init(".")], .nextEvent, "next event of the row"),
    Binding([.init(",")], .previousEvent, "previous event of the row"),
    Binding([.init("[")], .cause, "subscription whose event made this one"),
    Binding([.init("]")], .parent, "subscription that this one was made for"),
    Binding([.init("e")], .nextFailure, "next failure"),
    Binding([.init("E")], .previousFailure, "previous failure"),
    Binding([.init("!")], .nextFinding, "next finding"),
    Binding([.init("@")], .previousFinding, "previous finding"),
    Binding([.init("u")], .busiest, "busiest moment, and its busiest lane"),
    Binding([.init("U")], .longest, "subscription with the longest life"),
    Binding([.init("m")], .mark, "set a mark; two marks measure a time, and Esc removes them"),
    Binding([.init("'")], .goToMark, "go to a mark, then to the other one"),
    Binding([.init("r")], .record, "record what grows; again, list it"),
    Binding([.init("c")], .note, "write a note for the time of the cursor"),
  ]

  private static let viewing = [
    Binding([.init(.enter)], .open, "fold the lane, or open the line of the list"),
    Binding([.init("z")], .foldAll, "fold or unfold all lanes or findings"),
    Binding([.init("A")], .listAll, "list all subscriptions"),
    Binding([.init("J")], .allEvents, "list the events of all lanes, or of the row"),
    Binding([.init(.tab)], .nextPane, "switch between timeline and pane"),
    Binding([.init(.tab, .shift)], .previousPane, "previous pane"),
    Binding([.init("v")], .enlarge, "all rows for the timeline or the pane, or as before"),
    Binding([.init("{")], .shrinkPane, "fewer rows for the pane"),
    Binding([.init("}")], .growPane, "more rows for the pane"),
    Binding([.init("V")], .otherLog, "show the other log of a comparison"),
    Binding([.init("T")], .clock, "wall-clock time, or since the start, or each log's start"),
    Binding(
      [.init("S")], .sort, "sort the timeline; in pane 5, also a capital that is bold"),
    Binding([.init("P")], .pin, "pin the lane to the top, or unpin it"),
    Binding([.init("b")], .group, "group by parent, source, scope, thread and more"),
    Binding([.init("B")], .previousGrouping, "previous grouping"),
  ]

  /// The keys of panes are their numbers.
  private static let panes = Panes.all.enumerated().map { index, pane in
    Binding([.init(Character("\(index + 1)"))], .pane(type(of: pane).id), type(of: pane).help)
  }

  private static let finding = [
    Binding([.init(":")], .palette, "go to #7, 1.5s, 60%, +50ms, a lane; any command"),
    Binding([.init("/")], .search, "search with a query, such as timeout or value:/x.*y/i"),
    Binding([.init("n")], .nextHit, "next hit; in a replay, next event"),
    Binding([.init("N")], .previousHit, "previous hit"),
    Binding([.init("&")], .filter, "show what a query selects: lane:a.* -state:active life>1s"),
    Binding([.init("t")], .toggleFilter, "turn the filter off or on"),
    Binding([.init("L")], .leaksOnly, "show only leaks, or everything"),
  ]

  private static let replaying = [
    Binding([.init(" ")], .play, "play or pause; freeze a growing log"),
    Binding([.init("<")], .slower, "half speed"),
    Binding([.init(">")], .faster, "double speed"),
    Binding([.init("p")], .stepBack, "previous event"),
    Binding([.init("i")], .skipGaps, "skip or play long gaps"),
  ]

  private static let exporting = [
    Binding([.init("y")], .copy, "copy the line, or the finding as Markdown"),
    Binding([.init("o")], .source, "open the source of the line in $EDITOR"),
    Binding([.init("x")], .export, "export the log to a file: all that the filter shows"),
    Binding([.init("X")], .exportLane, "export only the lane of the row"),
  ]

  private static let program = [
    Binding([.init("M")], .mouse, "turn the mouse on or off: click, wheel, drag"),
    Binding([.control("l")], .redraw, "redraw the screen"),
    Binding([.init("?"), .init(.function(1))], .help, "show this help"),
    Binding([.init(.escape), .init(.backspace)], .back, "go back one step"),
    Binding([.init("q")], .quit, "go back, or quit"),
    Binding([.control("c")], .interrupt, "quit immediately"),
    Binding([.control("z")], .suspend, "suspend; fg resumes"),
  ]
}

/// A formatter for key names in help and hints.
enum KeyName {
  static func of(_ press: KeyPress, isASCII: Bool) -> String {
    var name = base(press.key, isASCII)
    if press.modifiers.contains(.control) { name = "^" + name.uppercased() }
    if press.modifiers.contains(.alt) { name = "Alt-" + name }
    if press.modifiers.contains(.shift) { name = "Shift-" + name }
    return name
  }

  private static func base(_ key: KeyPress.Key, _ isASCII: Bool) -> String {
    switch key {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .enter: "Enter"
    case .tab: "Tab"
    case .escape: "Esc"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .insert: "Ins"
    case .up: isASCII ? "Up" : "↑"
    case .down: isASCII ? "Down" : "↓"
    case .left: isASCII ? "Left" : "←"
    case .right: isASCII ? "Right" : "→"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .function(let number): "F\(number)"
    }
  }
}
