#if os(Linux)
  import SystemLibrary

  /// A program that wakes itself all the time, as one with a run loop does.
  enum EventWriter {
    /// Writes to an event counter 100 times a second, and prints numbers, one every half second,
    /// as many bytes as an event has. Without numbers, it doesn't end.
    static func run(numbers: Int) {
      // Swift doesn't import this function.
      guard let address = dlsym(nil, "eventfd") else { fatalError("There is no eventfd.") }
      let counter = unsafeBitCast(address, to: (@convention(c) (UInt32, Int32) -> Int32).self)(0, 0)
      var wakes = 0
      while numbers == 0 || wakes < numbers * 50 {
        var event: UInt64 = 1
        write(counter, &event, MemoryLayout.size(ofValue: event))
        wakes += 1
        if numbers > 0, wakes % 50 == 0 { Modes.report("event \(wakes / 50)\n") }
        poll(nil, 0, 10)
      }
    }
  }
#endif
