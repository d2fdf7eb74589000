extension Heap {
  /// Reports whether a place on the stack of a thread is one where the C library keeps a value of that
  /// thread under a key (`pthread_setspecific`).
  ///
  /// The C library keeps what it knows about a thread at the end of the memory for its stack. That
  /// begins with its own address (glibc, `tcbhead_t`). Each value stands next to a number that is odd
  /// while its key is in use.
  package func isThreadValue(_ place: UInt, in part: MemoryMap.Part) -> Bool {
    guard let number = memory.word(place &- 8), number & 1 == 1, number < 1 << 16 else {
      return false
    }
    let reach: UInt = 4096
    var start = place & ~63
    while start > part.start, start &+ reach > place {
      if memory.word(start) == start, memory.word(start &+ 16) == start { return true }
      start &-= 64
    }
    return false
  }
}
