package import SwiftRuntime

extension TaskLayout {
  /// The maximum number of status records to read.
  private static let maxRecords = 16

  /// Returns whether the status of a Task has a record of a dependency on a continuation.
  package static func waitsForContinuation(_ task: UInt, _ memory: ProcessMemory) -> Bool {
    guard let status = memory.word(task &+ TaskLayout.status),
      status & TaskLayout.hasDependency != 0
    else {
      return false
    }
    var record = memory.word(task &+ TaskLayout.statusRecords)
    for _ in 0..<maxRecords {
      guard let address = record, address != 0, let flags = memory.word(address) else {
        return false
      }
      if TaskLayout.isDependency(recordFlags: flags) {
        return memory.word(address &+ TaskLayout.dependencyKind)
          .map(TaskLayout.isContinuation(dependencyKind:)) ?? false
      }
      record = memory.word(address &+ TaskLayout.nextRecord)
    }
    return false
  }
}
