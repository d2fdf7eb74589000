import TerminalUI

/// The only list of the keys of the viewer, with their commands and their help texts.
enum KeyTable {
  struct Binding: Sendable {
    let keys: [KeyPress]
    let command: ViewerCommand
    /// The help text.
    let meaning: String

    init(_ keys: [KeyPress], _ command: ViewerCommand, _ meaning: String) {
      self.keys = keys
      self.command = command
      self.meaning = meaning
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

  /// Returns the command of a key.
  static func command(of key: KeyPress) -> ViewerCommand? { commands[key] }

  /// All bindings, in the order of the help.
  static var bindings: [Binding] { sections.flatMap(\.bindings) }

  private static let commands = Dictionary(
    bindings.flatMap { binding in binding.keys.map { ($0, binding.command) } },
    uniquingKeysWith: { first, _ in first })

  static let sections = [
    Section(title: "Move", bindings: moving), Section(title: "Zoom", bindings: zooming),
    Section(title: "Jump", bindings: jumping), Section(title: "Look", bindings: looking),
    Section(title: "Find", bindings: finding), Section(title: "Replay", bindings: replaying),
    Section(title: "Pass on", bindings: passing), Section(title: "Program", bindings: program),
  ]

  private static let moving = [
    Binding([.init(.left), .init("h")], .left, "the cursor earlier, by a column"),
    Binding([.init(.right), .init("l")], .right, "the cursor later, by a column"),
    Binding([.init(.left, .shift), .init("(")], .farLeft, "earlier, by ten columns"),
    Binding([.init(.right, .shift), .init(")")], .farRight, "later, by ten columns"),
    Binding([.init(.up), .init("k")], .up, "up a row"),
    Binding([.init(.down), .init("j")], .down, "down a row"),
    Binding([.init(.pageUp), .control("b")], .pageUp, "up a page"),
    Binding([.init(.pageDown), .control("f")], .pageDown, "down a page"),
    Binding([.init(.home), .init("g")], .first, "to the beginning of the log, or of a list"),
    Binding([.init(.end), .init("G")], .last, "to the end; a log that grows is followed"),
  ]

  private static let zooming = [
    Binding([.init("+"), .init("w"), .init("=")], .zoomIn, "in, at the cursor"),
    Binding([.init("-"), .init("s"), .init("_")], .zoomOut, "out"),
    Binding([.init("a")], .panLeft, "move the window earlier"),
    Binding([.init("d")], .panRight, "move the window later"),
    Binding([.init("f")], .fit, "fit what is marked, then the subscription, then all"),
  ]

  private static let jumping = [
    Binding([.init(".")], .nextEvent, "next event of the row"),
    Binding([.init(",")], .previousEvent, "previous event of the row"),
    Binding([.init("[")], .cause, "to the delivery that made the subscription"),
    Binding([.init("]")], .parent, "to the subscription that it was made for"),
    Binding([.init("e")], .nextFailure, "next failure"),
    Binding([.init("E")], .previousFailure, "previous failure"),
    Binding([.init("!")], .nextFinding, "next finding"),
    Binding([.init("m")], .mark, "mark this time; two marks show the time between"),
    Binding([.init("'")], .goToMark, "to a mark, and to the other"),
  ]

  private static let looking = [
    Binding([.init(.enter)], .open, "fold a lane, or open what a list shows"),
    Binding([.init("z")], .foldAll, "fold all lanes, or unfold them"),
    Binding([.init(.tab)], .nextPane, "to the pane below, and back"),
    Binding([.init(.tab, .shift)], .previousPane, "the pane before this one"),
    Binding([.init("1")], .subscriptions, "subscriptions of the lane"),
    Binding([.init("2")], .events, "events of the row"),
    Binding([.init("3")], .detail, "everything about one subscription"),
    Binding([.init("4")], .findings, "findings, as check has them, and damage of the log"),
    Binding([.init("5")], .summary, "lanes in numbers"),
    Binding([.init("T")], .clock, "time since the start, or of the clock"),
    Binding([.init("S")], .sort, "sort by time, lane, elements, life or state"),
    Binding([.init("b")], .group, "group by parent, source, scope, thread or state"),
  ]

  private static let finding = [
    Binding([.init("/")], .search, "search lanes, sources and values"),
    Binding([.init("n")], .nextHit, "next hit; in a replay one event forward"),
    Binding([.init("N")], .previousHit, "previous hit"),
    Binding([.init("&")], .filter, "filter: lane:a.* state:active value:x dur>1s"),
    Binding([.init("L")], .leaksOnly, "suspected leaks only; without an end, what is active"),
  ]

  private static let replaying = [
    Binding([.init(" ")], .play, "play and pause; freeze a log that grows"),
    Binding([.init("<")], .slower, "half the speed"),
    Binding([.init(">")], .faster, "twice the speed"),
    Binding([.init("p")], .stepBack, "one event back"),
    Binding([.init("i")], .skipGaps, "skip long gaps, or play them"),
  ]

  private static let passing = [
    Binding([.init("y")], .copy, "copy the line to the clipboard"),
    Binding([.init("o")], .source, "open the source in $EDITOR"),
    Binding([.init("x")], .export, "export what is selected"),
  ]

  private static let program = [
    Binding([.init("M")], .mouse, "use the mouse: click, wheel, drag"),
    Binding([.control("l")], .redraw, "draw again"),
    Binding([.init("?"), .init(.function(1))], .help, "this help"),
    Binding([.init(.escape), .init(.backspace)], .back, "back, a step at a time"),
    Binding([.init("q")], .quit, "back, or quit"),
    Binding([.control("c")], .interrupt, "quit at once"),
    Binding([.control("z")], .suspend, "suspend; fg returns"),
  ]
}
