package import TraceFormat

extension EventReader {
  /// Returns every key of the line at a location with its value, in the order of the line. Texts
  /// have their escapes resolved; other values are as they are in the line. The result is empty if
  /// the location has no object.
  package func fields(at location: TraceRecord.Location) -> [(key: String, value: String)] {
    guard analysis.files.indices.contains(location.file) else { return [] }
    let bytes = analysis.files[location.file].bytes(at: location)
    return bytes.withUnsafeBufferPointer { line in
      guard let start = line.baseAddress else { return [] }
      var cursor = JSONCursor(position: start, end: start + line.count)
      return (try? cursor.fields()) ?? []
    }
  }
}

extension JSONCursor {
  fileprivate mutating func fields() throws(LineFault) -> [(key: String, value: String)] {
    var fields: [(key: String, value: String)] = []
    skipSpace()
    try expect(UInt8(ascii: "{"))
    skipSpace()
    if try take(UInt8(ascii: "}")) { return fields }
    repeat {
      skipSpace()
      try expect(UInt8(ascii: "\""))
      let key = try string().string
      skipSpace()
      try expect(UInt8(ascii: ":"))
      skipSpace()
      fields.append((key, try text()))
      skipSpace()
    } while try take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
    return fields
  }

  private mutating func text() throws(LineFault) -> String {
    if try take(UInt8(ascii: "\"")) { return try string().string }
    let start = position
    try skipValue()
    return RawText(start: start, count: position - start, isEscaped: false).string
  }
}
