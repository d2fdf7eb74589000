extension Heap {
  /// Reports whether a place on a thread's stack stores a thread-specific value
  /// (`pthread_setspecific`).
  ///
  /// The C library stores its data about a thread at the end of the memory for the thread's stack.
  /// The data starts with its own address (glibc, `tcbhead_t`). Each value comes after a number
  /// that is odd while its key is in use.
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
