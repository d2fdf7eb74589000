#if os(Linux)
  package import ProcessInspection

  extension InspectedTask {
    /// A Boolean value that indicates whether code of the program started the task. The tasks of
    /// servers, test runners and other libraries aren't the program's.
    ///
    /// The outermost function of a task is the closure with which it was made. The functions of the
    /// runtime and of the compiler around it don't count.
    package var isStartedByUser: Bool {
      guard let first = frames.last(where: { !$0.isOfRuntime && !$0.isOfRecorder }) else {
        return false
      }
      return first.origin == .user || first.isOptimized
    }

    /// The calls of the program, innermost first.
    package var programFrames: [InspectedFrame] {
      frames.filter { ($0.origin != .system || $0.isOptimized) && !$0.isOfRecorder }
    }
  }
#endif
