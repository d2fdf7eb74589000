extension Array {
  /// Calls `body` with each element without allocating memory. In unoptimized code, a `for` loop
  /// allocates.
  ///
  /// The code that ends a log can't allocate, because it can run in a signal handler that has
  /// interrupted the allocator.
  @inlinable
  package func visitInPlace(_ body: (Element) -> Void) {
    var index = 0
    while index < count {
      body(self[index])
      index += 1
    }
  }
}
