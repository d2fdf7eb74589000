extension String {
  /// Calls a closure with the bytes of the text in UTF-8.
  ///
  /// Every text of every frame is read this way. In a debug build, as tests use it, that takes a
  /// tenth of the time of a loop over `utf8`.
  func withBytes<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result {
    var text = self
    return text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return withUnsafePointer(to: 0) { body($0, 0) } }
      return body(start, bytes.count)
    }
  }

  /// Reports whether all bytes of the text in UTF-8 are in a range.
  func hasOnlyBytes(from lowest: UInt8, through highest: UInt8) -> Bool {
    withBytes { bytes, count in
      var index = 0
      while index < count {
        let byte = bytes[index]
        if byte < lowest || byte > highest { return false }
        index += 1
      }
      return true
    }
  }
}
