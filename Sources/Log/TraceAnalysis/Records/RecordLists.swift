import TraceFormat

extension RecordFields {
  /// Returns a list of strings. A list with anything else in it counts as absent.
  func texts(_ key: LogFormat.Key) -> [String]? {
    guard var cursor = cursor(in: key) else { return nil }
    return try? cursor.texts()
  }

  /// Returns a list of steps of a retention path. A list with anything but objects in it counts as
  /// absent.
  func steps(_ key: LogFormat.Key) -> [Retention.Step]? {
    objects(key)?.map { Retention.Step($0) }
  }

  /// Returns the known members of the objects in a list. A list with anything else in it counts as
  /// absent.
  func objects(_ key: LogFormat.Key) -> [[RetentionKey: RetentionValue]]? {
    guard var cursor = cursor(in: key) else { return nil }
    return try? cursor.objects()
  }

  private func cursor(in key: LogFormat.Key) -> JSONCursor? {
    list(key).map { JSONCursor(position: $0.start, end: $0.start + $0.count) }
  }
}

extension JSONCursor {
  /// Reads a list that has only strings in it.
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

  /// Reads a list of objects.
  fileprivate mutating func objects() throws(LineFault) -> [[RetentionKey: RetentionValue]] {
    var objects: [[RetentionKey: RetentionValue]] = []
    try expect(UInt8(ascii: "["))
    skipSpace()
    if try take(UInt8(ascii: "]")) { return objects }
    repeat {
      skipSpace()
      objects.append(try members())
      skipSpace()
    } while try take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
    return objects
  }

  /// Reads an object. Members with other keys or values than a step has are ignored.
  private mutating func members() throws(LineFault) -> [RetentionKey: RetentionValue] {
    var members: [RetentionKey: RetentionValue] = [:]
    try expect(UInt8(ascii: "{"))
    skipSpace()
    if try take(UInt8(ascii: "}")) { return members }
    repeat {
      skipSpace()
      try expect(UInt8(ascii: "\""))
      let key = RetentionKey(rawValue: try string().string)
      skipSpace()
      try expect(UInt8(ascii: ":"))
      skipSpace()
      if try take(UInt8(ascii: "\"")) {
        let text = try string().string
        if let key, !key.isInteger { members[key] = .text(text) }
      } else if let integer = takeInteger() {
        if let key, key.isInteger { members[key] = .integer(integer) }
      } else {
        try skipValue()
      }
      skipSpace()
    } while try take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
    return members
  }
}

extension UnfinishedTask.Call {
  init(_ members: [RetentionKey: RetentionValue]) {
    self.init(function: members.text(.name), source: members.text(.site))
    path = members.text(.path)
    code = members.text(.code)
    origin = members.text(.kind).flatMap { .init(rawValue: $0) }
    missing = members.integer(.count).map { Int(clamping: $0) } ?? 0
  }
}

extension [RetentionKey: RetentionValue] {
  func text(_ key: RetentionKey) -> String? {
    if case .text(let text)? = self[key] { text } else { nil }
  }

  func integer(_ key: RetentionKey) -> UInt64? {
    if case .integer(let integer)? = self[key] { integer } else { nil }
  }
}

extension LeakedObjects.Class {
  init(_ members: [RetentionKey: RetentionValue]) {
    func number(_ key: RetentionKey) -> Int { members.integer(key).map { Int(clamping: $0) } ?? 0 }
    self.init(
      name: members.text(.name) ?? "", count: number(.count), bytes: number(.bytes))
  }
}
