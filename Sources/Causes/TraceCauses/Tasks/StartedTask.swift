#if os(Linux)
  import CodeLocations
  import TaskInspection
  import SwiftRuntime

  extension InspectedTask {
    /// A Boolean value that indicates whether code of the program started the task. The tasks of
    /// servers, test runners and other libraries aren't the program's.
    ///
    /// The outermost function of a task is the closure with which it was made. The functions of the
    /// runtime and of the compiler around it don't count.
    var isStartedByUser: Bool {
      guard let first = frames.last(where: { !$0.isOfRuntime && !$0.isOfRecorder }) else {
        return false
      }
      return first.origin == .user || first.isOptimized
    }

    /// The calls of the program, innermost first, without those of this package: a loop over the
    /// values of a signal waits in the loop.
    var programFrames: [InspectedFrame] {
      frames.filter { ($0.origin != .system || $0.isOptimized) && !$0.isOurs }
    }
  }

  extension InspectedFrame {
    /// A Boolean value that indicates whether the function belongs to this package, and not to a
    /// user's extension of one of its types.
    fileprivate var isOurs: Bool {
      guard let modules = symbol.flatMap({ MangledName(symbol: $0)?.modules }) else { return false }
      return OwnModules.contain(modules.ofExtension ?? modules.ofType)
    }
  }
#endif
