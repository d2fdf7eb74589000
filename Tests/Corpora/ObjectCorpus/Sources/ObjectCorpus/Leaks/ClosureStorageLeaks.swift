extension ObjectCase {
  /// The closure is in a container or in a value that the object has.
  static var closureStorageLeaks: [ObjectCase] {
    [
      .leak(
        "closure-in-array", .cycle(["Menu.commands", "closure.self"], leaked: ["Menu": 1])
      ) {
        Menu().setUp()
      },
      .leak(
        "closure-in-dictionary", .cycle(["Router.routes", "closure.self"], leaked: ["Router": 1])
      ) {
        Router().setUp()
      },
      .leak(
        "closure-in-nested-optional",
        .cycle(["Prompt.answer", "closure.self"], leaked: ["Prompt": 1])
      ) {
        Prompt().setUp()
      },
      .leak("closure-in-struct", .cycle(["Card.handlers", "closure.self"], leaked: ["Card": 1])) {
        Card().setUp()
      },
      .leak("closure-in-enum", .cycle(["Dialog.state", "closure.self"], leaked: ["Dialog": 1])) {
        Dialog().setUp()
      },
      .leak("closure-in-tuple", .cycle(["Gesture.pair", "closure.self"], leaked: ["Gesture": 1])) {
        Gesture().setUp()
      },
      .leak(
        "closure-in-existential", .cycle(["Plugin.hook", "closure.self"], leaked: ["Plugin": 1])
      ) {
        Plugin().setUp()
      },
      .leak(
        "closure-in-wrapper", .cycle(["Profile._name", "closure.self"], leaked: ["Profile": 1])
      ) {
        Profile().setUp()
      },
      .leak(
        "closure-in-generic", .cycle(["Mapper.transform", "closure.self"], leaked: ["Mapper": 1])
      ) {
        Mapper<String>().setUp()
      },
      .leak(
        "closure-in-lazy-sequence", .cycle(["Report.rows", "closure.self"], leaked: ["Report": 1])
      ) {
        Report().setUp()
      },
      // The standard library has a class for the iterator.
      .leak(
        "closure-in-any-iterator",
        .cycle(through: ["Cursor.items", "closure.self"], leaked: ["Cursor": 1])
      ) {
        Cursor().setUp()
      },
      .leak(
        "closure-in-view-tree",
        .cycle(["ListScreen.body", "closure.self"], leaked: ["ListScreen": 1])
      ) {
        ListScreen().setUp()
      },
      .leak(
        "closure-in-linked-enum", .cycle(["Undo.steps", "closure.self"], leaked: ["Undo": 1])
      ) {
        Undo().setUp()
      },
    ]
  }
}

private final class Menu {
  private var commands: [() -> Void] = []
  private var uses = 0

  init() { Life.begin(self, "Menu") }
  deinit { Life.end("Menu") }

  func setUp() {
    commands.append {}
    commands.append { self.uses += 1 }  // closure: closure-in-array
  }
}

private final class Router {
  private var routes: [String: (String) -> Bool] = [:]
  private var last = ""

  init() { Life.begin(self, "Router") }
  deinit { Life.end("Router") }

  func setUp() {
    routes["help"] = { _ in true }
    routes["home"] = { path in  // closure: closure-in-dictionary
      self.last = path
      return true
    }
  }
}

private final class Prompt {
  private var answer: ((Bool) -> Void)??
  private var isAnswered = false

  init() { Life.begin(self, "Prompt") }
  deinit { Life.end("Prompt") }

  func setUp() {
    answer = .some { self.isAnswered = $0 }  // closure: closure-in-nested-optional
  }
}

private struct Handlers {
  var tag = 0
  var onTap: (() -> Void)?
  var onSwipe: (() -> Void)?
}

private final class Card {
  private var handlers = Handlers()
  private var swipes = 0

  init() { Life.begin(self, "Card") }
  deinit { Life.end("Card") }

  func setUp() {
    handlers.onSwipe = { self.swipes += 1 }  // closure: closure-in-struct
  }
}

private final class Dialog {
  private enum State {
    case closed
    case waiting(seconds: Int)
    case open(onClose: () -> Void)
  }

  private var state = State.closed
  private var closings = 0

  init() { Life.begin(self, "Dialog") }
  deinit { Life.end("Dialog") }

  func setUp() {
    state = .open { self.closings += 1 }  // closure: closure-in-enum
  }
}

private final class Gesture {
  private var pair: (name: String, action: () -> Void) = ("", {})
  private var count = 0

  init() { Life.begin(self, "Gesture") }
  deinit { Life.end("Gesture") }

  func setUp() {
    pair = ("pinch", { self.count += 1 })  // closure: closure-in-tuple
  }
}

private protocol Hook {
  func run()
}

private struct ClosureHook: Hook {
  let body: () -> Void
  func run() { body() }
}

private final class Plugin {
  private var hook: (any Hook)?
  private var runs = 0

  init() { Life.begin(self, "Plugin") }
  deinit { Life.end("Plugin") }

  func setUp() {
    hook = ClosureHook { self.runs += 1 }  // closure: closure-in-existential
  }
}

@propertyWrapper
private struct Observed<Value> {
  var wrappedValue: Value {
    didSet { onChange?(wrappedValue) }
  }
  var onChange: ((Value) -> Void)?

  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

private final class Profile {
  @Observed private var name = ""
  private var changes = 0

  init() { Life.begin(self, "Profile") }
  deinit { Life.end("Profile") }

  func setUp() {
    _name.onChange = { _ in self.changes += 1 }  // closure: closure-in-wrapper
  }
}

private final class Mapper<Input> {
  private var transform: ((Input) -> Input)?
  private var calls = 0

  init() { Life.begin(self, "Mapper") }
  deinit { Life.end("Mapper") }

  func setUp() {
    transform = { input in  // closure: closure-in-generic
      self.calls += 1
      return input
    }
  }
}

private final class Report {
  private var rows: LazyMapSequence<[Int], String>?
  private var unit = "m"

  init() { Life.begin(self, "Report") }
  deinit { Life.end("Report") }

  func setUp() {
    rows = [1, 2, 3].lazy.map { "\($0) \(self.unit)" }  // closure: closure-in-lazy-sequence
  }
}

private final class Cursor {
  private var items: AnyIterator<Int>?
  private var position = 0

  init() { Life.begin(self, "Cursor") }
  deinit { Life.end("Cursor") }

  func setUp() {
    items = AnyIterator {  // closure: closure-in-any-iterator
      self.position += 1
      return self.position
    }
  }
}

private protocol Element {}

private struct Label: Element { let text: String }

private struct ActionRow: Element {
  let title: String
  let action: () -> Void
}

private struct Column: Element { let elements: [any Element] }

@resultBuilder
private enum ElementBuilder {
  static func buildBlock(_ elements: any Element...) -> Column { Column(elements: elements) }
}

private final class ListScreen {
  private var body: (any Element)?
  private var selections = 0

  init() { Life.begin(self, "ListScreen") }
  deinit { Life.end("ListScreen") }

  func setUp() { body = makeBody() }

  @ElementBuilder
  private func makeBody() -> Column {
    Label(text: "List")
    ActionRow(title: "First") { self.selections += 1 }  // closure: closure-in-view-tree
  }
}

private indirect enum Steps {
  case empty
  case step(() -> Void, previous: Steps)
}

private final class Undo {
  private var steps = Steps.empty
  private var undone = 0

  init() { Life.begin(self, "Undo") }
  deinit { Life.end("Undo") }

  func setUp() {
    steps = .step({ self.undone += 1 }, previous: steps)  // closure: closure-in-linked-enum
    steps = .step({}, previous: steps)
  }
}
