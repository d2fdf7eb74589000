/// The values of the known keys of one line. The full parser fills them and reuses the memory for
/// the next line.
package struct RecordFields: ~Copyable {
  private let integers: UnsafeMutablePointer<UInt64>
  private let texts: UnsafeMutablePointer<RawText>
  private var integersPresent: UInt64 = 0
  private var textsPresent: UInt64 = 0
  /// The keys whose text is an array: everything from the opening to the closing bracket.
  private var listsPresent: UInt64 = 0
  /// The text of the version if it is a number but not an integer from 0 to 2^64 - 1.
  package private(set) var oddVersion: String?
  private static let allKeys = WordTable<LogFormat.Key>()
  private let keys = allKeys

  private static let capacity = 64

  package init() {
    integers = .allocate(capacity: Self.capacity)
    integers.initialize(repeating: 0, count: Self.capacity)
    texts = .allocate(capacity: Self.capacity)
  }

  /// Reads a line. Returns nil if it isn't a JSON object.
  package init?(_ line: UnsafeBufferPointer<UInt8>) {
    self.init()
    guard let start = line.baseAddress else { return nil }
    var cursor = JSONCursor(position: start, end: start + line.count)
    do { try read(&cursor) } catch { return nil }
  }

  deinit {
    integers.deallocate()
    // `RawText` is trivial, so there is nothing to deinitialize.
    texts.deallocate()
  }

  package func integer(_ key: LogFormat.Key) -> UInt64? {
    integersPresent & key.bit == 0 ? nil : integers[key.index]
  }

  package func text(_ key: LogFormat.Key) -> RawText? {
    textsPresent & key.bit == 0 ? nil : texts[key.index]
  }

  /// Returns a list, from its opening to its closing bracket.
  package func list(_ key: LogFormat.Key) -> RawText? {
    listsPresent & key.bit == 0 ? nil : texts[key.index]
  }

  /// Reads a whole line that holds one JSON object. If a key occurs twice, the last value counts.
  /// `null` counts as absent.
  package mutating func read(_ cursor: inout JSONCursor) throws(LineFault) {
    integersPresent = 0
    textsPresent = 0
    listsPresent = 0
    oddVersion = nil
    cursor.skipSpace()
    try cursor.expect(UInt8(ascii: "{"))
    cursor.skipSpace()
    if try !cursor.take(UInt8(ascii: "}")) {
      repeat {
        cursor.skipSpace()
        try cursor.expect(UInt8(ascii: "\""))
        let name = try cursor.string()
        cursor.skipSpace()
        try cursor.expect(UInt8(ascii: ":"))
        cursor.skipSpace()
        if let key = keys.word(name) {
          try readValue(of: key, &cursor)
        } else {
          try cursor.skipValue()
        }
        cursor.skipSpace()
      } while try cursor.take(UInt8(ascii: ","))
      try cursor.expect(UInt8(ascii: "}"))
    }
    cursor.skipSpace()
    guard cursor.isAtEnd else { throw .malformed }
  }

  private mutating func readValue(
    of key: LogFormat.Key, _ cursor: inout JSONCursor
  ) throws(LineFault) {
    integersPresent &= ~key.bit
    textsPresent &= ~key.bit
    listsPresent &= ~key.bit
    if try cursor.take(UInt8(ascii: "\"")) {
      (texts + key.index).initialize(to: try cursor.string())
      textsPresent |= key.bit
    } else if let integer = cursor.takeInteger() {
      integers[key.index] = integer
      integersPresent |= key.bit
    } else {
      let start = cursor.position
      try cursor.skipValue()
      if key == .version { noteOddVersion(start, cursor.position) }
      if start.pointee == UInt8(ascii: "[") {
        (texts + key.index).initialize(
          to: RawText(start: start, count: cursor.position - start, isEscaped: false))
        listsPresent |= key.bit
      }
    }
  }

  private mutating func noteOddVersion(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) {
    guard start.pointee == UInt8(ascii: "-") || isDigit(start.pointee) else { return }
    let bytes = UnsafeBufferPointer(start: start, count: min(end - start, 40))
    oddVersion = String(decoding: bytes, as: UTF8.self)
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension LogFormat.Key {
  /// The index of the key among all keys. A switch in the order of the cases costs nothing.
  fileprivate var index: Int {
    switch self {
    case .t: 0
    case .event: 1
    case .version: 2
    case .minor: 3
    case .trace: 4
    case .process: 5
    case .pid: 6
    case .host: 7
    case .started: 8
    case .recorder: 9
    case .segment: 10
    case .sub: 11
    case .lane: 12
    case .value: 13
    case .truncated: 14
    case .error: 15
    case .thread: 16
    case .op: 17
    case .source: 18
    case .function: 19
    case .type: 20
    case .observed: 21
    case .parent: 22
    case .cause: 23
    case .scope: 24
    case .outer: 25
    case .lifetime: 26
    case .frames: 27
    case .name: 28
    case .count: 29
    case .reason: 30
    case .on: 31
    case .kind: 32
    case .proof: 33
    case .twin: 34
    case .library: 35
    case .tail: 37
    case .breakIndex: 38
    case .steps: 42
    case .owner: 43
    case .searched: 44
    case .records: 45
    case .lost: 46
    case .run: 47
    case .replaced: 48
    case .shared: 49
    case .task: 50
    case .priority: 51
    case .state: 52
    case .wait: 53
    case .pause: 54
    case .awaits: 55
    case .canceled: 56
    case .reach: 57
    case .calls: 58
    case .members: 59
    case .held: 60
    case .command: 61
    case .tracer: 62
    case .moved: 63
    }
  }

  fileprivate var bit: UInt64 {
    1 << UInt64(truncatingIfNeeded: index)
  }
}
