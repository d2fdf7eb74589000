#if os(Linux)
  import ProcessMemory

  /// The global queues of libdispatch that have work that no thread has begun.
  enum WaitingQueues {
    /// The beginning of the labels of these queues.
    private static let prefix = "com.apple.root."

    /// Returns the labels of the queues.
    static func labels(
      _ files: ProcessFiles, _ memory: ProcessMemory, _ isInTime: @escaping () -> Bool
    ) -> [String] {
      guard
        let first = files.address(
          ofVariable: DispatchQueueLayout.globalQueues, in: "/libdispatch.so", isInTime: isInTime)
      else { return [] }
      return (0..<DispatchQueueLayout.globalQueueCount).compactMap { index in
        let queue = first &+ index * DispatchQueueLayout.globalQueueSize
        guard let item = memory.word(queue &+ DispatchQueueLayout.lastItem), item != 0,
          let label = memory.word(queue &+ DispatchQueueLayout.label).flatMap({ memory.text($0) }),
          label.hasPrefix(prefix)
        else { return nil }
        return label
      }
    }
  }
#endif
