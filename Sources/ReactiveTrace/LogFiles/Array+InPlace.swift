extension Array {
  /// Calls `body` with each element, and asks for no memory, as `for` does where nothing was optimized.
  ///
  /// What ends a log may have interrupted the allocator.
  func visitInPlace(_ body: (Element) -> Void) {
    var index = 0
    while index < count {
      body(self[index])
      index += 1
    }
  }
}
