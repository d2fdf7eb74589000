#if os(Linux)
  import CodeLocations
  package import ProcessMemory
  import SystemLibrary
  import TraceFormat

  extension InspectedTask {
    /// Lists the tasks of this process.
    ///
    /// - Parameter limit: The maximum time, in nanoseconds.
    /// - Returns: The tasks, and whether all memory was searched in time.
    package static func ofThisProcess(
      within limit: Int
    ) throws(TaskCensus.Refusal) -> (tasks: [InspectedTask], isComplete: Bool) {
      let end = LogClock.monotonic() + limit
      let census = try TaskCensus.ofThisProcess(deadline: end)
      let frames = FrameTable(
        ownNames, calls: [], resumptions: census.tasks.flatMap(\.code), isSwift: true,
        limit: max(0, end - LogClock.monotonic())
      ) { LoadedImage(at: $0) }
      return (all(census.tasks, frames, ProcessMemory.ofThisProcess), census.isComplete)
    }

    /// The names of functions of this process. Reading them takes much longer than the census, so
    /// they are kept. Swift code isn't unloaded.
    private static let ownNames = CodeNames(describesCalls: true) { LoadedImage(at: $0) }

    /// Returns tasks with their calls and executors.
    ///
    /// - Parameter frames: The frames at all addresses of the tasks.
    package static func all(
      _ records: [TaskRecord], _ frames: FrameTable, _ memory: ProcessMemory?
    ) -> [InspectedTask] {
      let types = memory.map { TypeNames(memory: $0) }
      // Many tasks have the same functions.
      var known: [[UInt]: [InspectedFrame]] = [:]
      return records.map { record in
        let calls = known[record.code] ?? record.code.map(frames.resumption)
        known[record.code] = calls
        var executor: String?
        if case .executor(let address) = record.wait {
          executor = types?.name(ofObjectAt: address)
          if let name = executor, executorsOfMainActor.contains(name) {
            executor = InspectedTask.mainActor
          }
        }
        return InspectedTask(
          record: record, frames: calls, executor: executor)
      }
    }

    /// The classes of the executors of the main actor (`DispatchMainExecutor.swift` and
    /// `CFExecutor.swift` of the runtime).
    private static let executorsOfMainActor: Set<String> = [
      "DispatchMainExecutor", "CFMainExecutor",
    ]
  }
#endif
