import CRuntime.OwnProcess
import CodeLocations
import ProcessMemory
import SystemLibrary
import TaskInspection
import TraceFormat

/// Gives the recorder its search. CRuntime has a function of this name that gives nothing, for
/// programs that don't link this module.
@_cdecl("trace_get_causes")
package func getCauses(_ search: UnsafeMutableRawPointer) {
  search.assumingMemoryBound(to: (any CauseSearching)?.self).pointee = Causes()
}

/// The search for causes, as the recorder knows it.
struct Causes: CauseSearching {
  var neededMemory: Int { ProcessMemory.neededSpace }

  func makeNames() -> any LocationNames { CodeNames() }

  func address(
    ofVariable symbol: String, besideCodeAt code: UInt, isInTime: @escaping () -> Bool
  ) -> UInt? {
    #if os(Linux)
      guard let image = LoadedImage(at: code),
        let file = ElfFile(image.file, isInTime: isInTime),
        let offset = file.addresses(ofVariables: [symbol], isInTime: isInTime)[symbol]
      else { return nil }
      return offset &+ image.distance(file)
    #else
      return nil
    #endif
  }

  func explain(
    _ wanted: [SearchedSubscription], among live: [SearchedSubscription], frame: UInt,
    by deadline: Int, _ functions: ([UInt]) -> [UInt: CodeFunction]
  ) -> [Int: Retention]? {
    CauseSearch.explain(wanted, among: live, frame: frame, by: deadline, functions)
  }

  func explainObjects(
    _ targets: [SearchedSubscription], among live: [SearchedSubscription], callerHasThem: Bool,
    frame: UInt, by deadline: Int, _ functions: ([UInt]) -> [UInt: CodeFunction]
  ) -> [Int: ObjectExplanation]? {
    CauseSearch.explainObjects(
      targets, among: live, callerHasThem: callerHasThem, frame: frame, by: deadline, functions)
  }

  func countInstances(listing wanted: Set<UInt>) -> InstanceCount? {
    InstanceCounter.count(listing: wanted)
  }

  func tasks(limit: Duration) throws(TaskInspectionError) -> [RunningTask] {
    try TaskInspector.tasks(limit: limit)
  }

  func explainTasks(_ numbers: [UInt64], limit: Int) -> [UInt64: Retention] {
    TaskRetentions.explain(numbers: numbers, limit: limit)
  }

  func unfinishedTasks(_ wanted: TaskRequest) -> TaskList {
    TaskListing.list(wanted)
  }

  func stuckTasks(
    from marks: [UInt?], limit: Int
  ) -> (tasks: [[StuckTask]], limit: Retention.Limit?) {
    StuckTask.find(from: marks, limit: limit)
  }
}
