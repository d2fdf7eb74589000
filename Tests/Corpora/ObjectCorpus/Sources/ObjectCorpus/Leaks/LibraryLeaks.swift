import Feeds

extension ObjectCase {
  /// Objects of another package are on the cycle, or retain each other around it.
  static var libraryLeaks: [ObjectCase] {
    [
      .leak(
        "library-observer",
        .cycle(
          ["Inbox.letters", "closure.self"], or: ["Inbox.token", "closure.self"],
          leaked: ["Inbox": 1]
        )
        .breaking("closure.self", "Capture self weakly")
      ) {
        Inbox().setUp()
      },
      .leak(
        "library-operator",
        .cycle(
          ["Outbox.letters", "closure.self"], or: ["Outbox.token", "closure.self"],
          leaked: ["Outbox": 1]
        )
        .breaking("closure.self", "Capture self weakly")
      ) {
        Outbox().setUp()
      },
      // The program's closure is on the cycle, but none of its objects.
      .leak(
        "library-closure",
        .cycle(through: ["closure.letters"], leaked: [:]).breaking("closure.letters", nil)
      ) {
        let letters = Feed<Int>()
        letters.forEach { if $0 < 0 { letters.send(0) } }  // closure: library-closure
      },
      // Nothing of the program is on the cycle. Its observer hangs on it.
      .leak(
        "library-only",
        .cycle(["Feed.entries", "Entry.feed"], leaked: ["Reader": 1])
      ) {
        let letters = Feed<Int>()
        let reader = Reader()
        letters.forEach { reader.read += $0 }
      },
    ]
  }
}

private final class Inbox {
  private let letters = Feed<Int>()
  private var token: FeedToken?
  private var count = 0

  init() { Life.begin(self, "Inbox") }
  deinit { Life.end("Inbox") }

  func setUp() {
    token = letters.observe { self.count += $0 }  // closure: library-observer
  }
}

private final class Outbox {
  private let letters = Feed<Int>()
  private var token: FeedToken?
  private var count = 0

  init() { Life.begin(self, "Outbox") }
  deinit { Life.end("Outbox") }

  func setUp() {
    token =
      letters
      .map { $0 + self.count }  // closure: library-operator
      .observe { [weak self] in self?.count = $0 }
  }
}

private final class Reader {
  var read = 0

  init() { Life.begin(self, "Reader") }
  deinit { Life.end("Reader") }
}
