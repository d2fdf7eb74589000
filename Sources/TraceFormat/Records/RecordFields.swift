/// The values of the known keys of one line. The full parser fills them and reuses the memory for
/// the next line.
package struct RecordFields: ~Copyable {
  private let integers: UnsafeMutablePointer<UInt64>
  private let texts: UnsafeMutablePointer<RawText>
  private var integersPresent: UInt64 = 0
  private var textsPresent: UInt64 = 0
  /// The keys whose texts are lists: everything from the opening to the closing bracket.
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

  deinit {
    integers.deallocate()
    // Texts are trivial, so there is nothing to deinitialize.
    texts.deallocate()
  }

  package func integer(_ key: LogFormat.Key) -> UInt64? {
    integersPresent & key.bit == 0 ? nil : integers[key.index]
  }

  package func text(_ key: LogFormat.Key) -> RawText? {
    textsPresent & key.bit == 0 ? nil : texts[key.index]
  }

  /// Returns a list of texts. A list with anything else in it counts as absent.
  package func texts(_ key: LogFormat.Key) -> [String]? {
    guard listsPresent & key.bit != 0 else { return nil }
    let list = texts[key.index]
    var cursor = JSONCursor(position: list.start, end: list.start + list.count)
    return try? cursor.texts()
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

extension JSONCursor {
  /// Reads a list that has only texts in it.
  fileprivate mutating func texts() throws(LineFault) -> [String] {
    var texts: [String] = []
    try expect(UInt8(ascii: "["))
    skipSpace()
    if try take(UInt8(ascii: "]")) { return texts }
    repeat {
      skipSpace()
      try expect(UInt8(ascii: "\""))
      texts.append(try string().string)
      skipSpace()
    } while try take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
    return texts
  }
}

extension LogFormat.Key {
  /// The index of the key among all keys. A switch in the order of the cases costs nothing.
  fileprivate var index: Int {
    switch self {
    case .t: 0
    case .event: 1
    case .version: 2
    case .trace: 3
    case .process: 4
    case .pid: 5
    case .host: 6
    case .started: 7
    case .recorder: 8
    case .segment: 9
    case .sub: 10
    case .lane: 11
    case .value: 12
    case .truncated: 13
    case .error: 14
    case .thread: 15
    case .op: 16
    case .source: 17
    case .function: 18
    case .type: 19
    case .observed: 20
    case .parent: 21
    case .cause: 22
    case .scope: 23
    case .outer: 24
    case .lifetime: 25
    case .frames: 26
    case .name: 27
    case .count: 28
    case .reason: 29
    case .on: 30
    case .kind: 31
    case .proof: 32
    case .path: 33
    case .details: 34
    case .sites: 35
    case .tail: 36
    case .breakIndex: 37
    case .advice: 38
    case .holder: 39
    case .note: 40
    case .records: 41
    case .lost: 42
    case .run: 43
    case .replaced: 44
    case .shared: 45
    }
  }

  fileprivate var bit: UInt64 {
    1 << UInt64(truncatingIfNeeded: index)
  }
}
