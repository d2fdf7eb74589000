import ProcessMemory

extension MemoryMap.Part {
  /// A Boolean value that indicates whether a search begins at the words of the part. It is for
  /// parts that aren't heaps.
  var hasRoots: Bool {
    use == .variables || use == .stack || isSharedMemory || isSealed || isReserved
  }

  /// A Boolean value that indicates whether the part is shared memory, or a file that the program
  /// writes to. The kernel lists shared memory with a file.
  var isSharedMemory: Bool {
    guard isShared else { return false }
    guard let path else { return isWritable }
    if path.hasPrefix("/dev/zero") || path.hasPrefix("/dev/shm/") || path.hasPrefix("/memfd:") {
      return true
    }
    return isWritable && !path.hasPrefix("/dev/")
  }

  /// A Boolean value that indicates whether the part is anonymous memory that the program has made
  /// read-only, such as code that it has generated.
  var isSealed: Bool { isAnonymous && !isShared && !isWritable && [.other, .code].contains(use) }

  /// A Boolean value that indicates whether the part is larger than any heap, so that the program
  /// uses only some of its pages. The shadow memory of a sanitizer is even larger.
  var isReserved: Bool {
    isAnonymous && !isShared && isWritable && use == .other && end - start > MemoryMap.largestHeap
      && end - start <= 1 << 40
  }
}
