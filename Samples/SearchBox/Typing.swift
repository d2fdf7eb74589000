import Dispatch

/// An event at the keyboard: the search box opens, its text changes, or it closes.
enum Keyboard: Sendable {
  case opens
  case types(String)
  case closes
}

/// The source of the keyboard events.
enum Typing: Sendable {
  /// A fixed sequence of actions, each with its delay in milliseconds.
  case script([(wait: Int, action: Keyboard)])
  case standardInput

  init(_ arguments: Arguments) {
    self = arguments.readsStandardInput ? .standardInput : .script(Typing.demo)
  }

  /// Two visits to the search screen. In the first, the word is mistyped and corrected. In the
  /// second, the last letter changes nothing, and the screen is closed during a search.
  private static let demo: [(wait: Int, action: Keyboard)] = [
    [(50, .opens)], typed("s"), [(420, .types("si"))], typed("ginal", after: "si"),
    [(700, .types("signals")), (60, .types("signal"))], typed("Protocol", after: "signal"),
    [(800, .closes), (300, .opens)], typed("dispose"), [(650, .types("disposeBag"))],
    [(330, .closes)],
  ].flatMap(\.self)

  /// Returns one key after another, at the pace of a quick typist.
  private static func typed(_ word: String, after prefix: String = "")
    -> [(wait: Int, action: Keyboard)]
  {
    word.indices.map { (90, .types(prefix + word[...$0])) }
  }

  /// Calls `handle` on the main queue for each action, then `whenDone`.
  func play(
    _ handle: @escaping @MainActor (Keyboard) -> Void, whenDone: @escaping @MainActor () -> Void
  ) {
    switch self {
    case .script(let steps):
      Task { @MainActor in
        for step in steps {
          try? await Task.sleep(for: .milliseconds(step.wait))
          handle(step.action)
        }
        whenDone()
      }
    case .standardInput:
      // A separate thread, because reading blocks.
      DispatchQueue(label: "keyboard").async {
        var isOpen = false
        func tell(_ action: Keyboard) {
          DispatchQueue.main.async { MainActor.assumeIsolated { handle(action) } }
        }
        while let line = readLine() {
          if !isOpen { tell(.opens) }
          isOpen = !line.isEmpty
          tell(isOpen ? .types(line) : .closes)
        }
        if isOpen { tell(.closes) }
        DispatchQueue.main.async { MainActor.assumeIsolated { whenDone() } }
      }
    }
  }
}
