extension ObjectCase {
  /// The reference is in a collection of the standard library.
  static var collectionLeaks: [ObjectCase] {
    [
      .leak(
        "array", .cycle(["Team.members", "Member.team"], leaked: ["Team": 1, "Member": 3])
      ) {
        let team = Team()
        team.members = (0..<3).map { _ in Member(team) }
      },
      .leak(
        "array-of-arrays", .cycle(["Board.rows", "Piece.board"], leaked: ["Board": 1, "Piece": 4])
      ) {
        let board = Board()
        board.rows = [[], [Piece(board), Piece(board)], [], [Piece(board), Piece(board)]]
      },
      .leak("array-of-optionals", .cycle(["Seats.row"], leaked: ["Seats": 1])) {
        let seats = Seats()
        seats.row = [nil, nil, seats, nil]
      },
      .leak("array-of-structs", .cycle(["Playlist.entries"], leaked: ["Playlist": 1])) {
        let playlist = Playlist()
        playlist.entries = [
          .init(number: 1, title: "A", list: nil), .init(number: 2, title: "B", list: playlist),
        ]
      },
      .leak("array-of-tuples", .cycle(["Scores.pairs"], leaked: ["Scores": 1])) {
        let scores = Scores()
        scores.pairs = [(1, nil), (2, scores)]
      },
      .leak("array-of-existentials", .cycle(["Mixed.values"], leaked: ["Mixed": 1])) {
        let mixed = Mixed()
        mixed.values = [1, "two", (3.0, "four", "five"), mixed]
      },
      .leak("contiguous-array", .cycle(["Queue.jobs"], leaked: ["Queue": 1])) {
        let queue = Queue()
        queue.jobs.append(queue)
      },
      .leak("array-slice", .cycle(["Window.visible"], leaked: ["Window": 3])) {
        let windows = [Window(), Window(), Window()]
        windows[1].visible = windows[1...]
      },
      .leak(
        "dictionary-values",
        .cycle(
          ["Phonebook.entries", "Contact.book"],
          leaked: ["Phonebook": 1, "Contact": 2])
      ) {
        let book = Phonebook()
        for name in ["Ann", "Bob"] { book.entries[name] = Contact(book) }
      },
      .leak("dictionary-keys", .cycle(["Token.marks"], leaked: ["Token": 1])) {
        let token = Token()
        token.marks[token] = 1
      },
      .leak(
        "dictionary-of-arrays",
        .cycle(["Diary.days", "Note.diary"], leaked: ["Diary": 1, "Note": 100])
      ) {
        let diary = Diary()
        for number in 0..<100 { diary.days[number % 7, default: []].append(Note(diary)) }
      },
      .leak("set", .cycle(["Token.friends"], leaked: ["Token": 2])) {
        let token = Token()
        token.friends = [Token(), token]
      },
      .leak("key-value-pairs", .cycle(["Options.pairs"], leaked: ["Options": 1])) {
        let options = Options()
        options.pairs = ["a": nil, "b": options]
      },
      // A key path has the arguments of its subscripts.
      .leak("key-path-argument", .cycle(through: ["PathKey.path"], leaked: ["PathKey": 1])) {
        let key = PathKey()
        key.path = \Grid[key]
      },
    ]
  }
}

private final class Team {
  var members: [Member] = []

  init() { Life.begin(self, "Team") }
  deinit { Life.end("Team") }
}

private final class Member {
  private let team: Team

  init(_ team: Team) {
    self.team = team
    Life.begin(self, "Member")
  }
  deinit { Life.end("Member") }
}

private final class Board {
  var rows: [[Piece]] = []

  init() { Life.begin(self, "Board") }
  deinit { Life.end("Board") }
}

private final class Piece {
  private let board: Board

  init(_ board: Board) {
    self.board = board
    Life.begin(self, "Piece")
  }
  deinit { Life.end("Piece") }
}

private final class Seats {
  var row: [Seats?] = []

  init() { Life.begin(self, "Seats") }
  deinit { Life.end("Seats") }
}

private final class Playlist {
  struct Entry {
    let number: Int32
    let title: String
    let list: Playlist?
  }

  var entries: [Entry] = []

  init() { Life.begin(self, "Playlist") }
  deinit { Life.end("Playlist") }
}

private final class Scores {
  var pairs: [(Int, Scores?)] = []

  init() { Life.begin(self, "Scores") }
  deinit { Life.end("Scores") }
}

private final class Mixed {
  var values: [Any] = []

  init() { Life.begin(self, "Mixed") }
  deinit { Life.end("Mixed") }
}

private final class Queue {
  var jobs: ContiguousArray<AnyObject> = []

  init() { Life.begin(self, "Queue") }
  deinit { Life.end("Queue") }
}

private final class Window {
  var visible: ArraySlice<Window> = []

  init() { Life.begin(self, "Window") }
  deinit { Life.end("Window") }
}

private final class Phonebook {
  var entries: [String: Contact] = [:]

  init() { Life.begin(self, "Phonebook") }
  deinit { Life.end("Phonebook") }
}

private final class Contact {
  private let book: Phonebook

  init(_ book: Phonebook) {
    self.book = book
    Life.begin(self, "Contact")
  }
  deinit { Life.end("Contact") }
}

private final class Token: Hashable {
  var marks: [Token: Int] = [:]
  var friends: Set<Token> = []

  init() { Life.begin(self, "Token") }
  deinit { Life.end("Token") }

  static func == (one: Token, other: Token) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private final class Diary {
  var days: [Int: [Note]] = [:]

  init() { Life.begin(self, "Diary") }
  deinit { Life.end("Diary") }
}

private final class Note {
  private let diary: Diary

  init(_ diary: Diary) {
    self.diary = diary
    Life.begin(self, "Note")
  }
  deinit { Life.end("Note") }
}

private final class Options {
  var pairs: KeyValuePairs<String, Options?> = [:]

  init() { Life.begin(self, "Options") }
  deinit { Life.end("Options") }
}

private final class PathKey: Hashable {
  var path: AnyKeyPath?

  init() { Life.begin(self, "PathKey") }
  deinit { Life.end("PathKey") }

  static func == (one: PathKey, other: PathKey) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private struct Grid {
  subscript(key: PathKey) -> Int { key.path == nil ? 0 : 1 }
}
