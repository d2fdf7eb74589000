import ProcessMemory
import SwiftRuntime
package import TraceFormat

extension RunningTask {
  /// Returns the tasks of an inspection.
  package static func all(_ tasks: [InspectedTask]) -> [RunningTask] {
    let numbers = Dictionary(
      tasks.map { ($0.record.address, $0.record.number) },
      uniquingKeysWith: { first, _ in first })
    var children: [UInt: [UInt64]] = [:]
    for task in tasks {
      if let parent = task.record.parent {
        children[parent, default: []].append(task.record.number)
      }
    }
    // Many tasks have the same functions.
    var known: [[UInt]: [Frame]] = [:]
    return tasks.map { task in
      let record = task.record
      let frames = known[record.code] ?? task.frames.map { Frame($0) }
      known[record.code] = frames
      return RunningTask(
        id: record.number, name: record.name,
        priority: TaskPriority(rawValue: record.status.priority),
        isCancelled: record.status.isCancelled, state: state(task, numbers),
        parent: record.parent.flatMap { numbers[$0] }, children: children[record.address] ?? [],
        callStack: frames)
    }
  }

  private static func state(_ task: InspectedTask, _ numbers: [UInt: UInt64]) -> State {
    switch task.state {
    case .running: return .running
    case .suspended: return .suspended
    case .enqueued:
      if case .executor = task.record.wait { return .waiting(.executor(task.executor)) }
      return .enqueued
    case .waiting:
      switch task.record.wait {
      case .task(let address): return .waiting(.task(numbers[address]))
      case .group: return .waiting(.group)
      case .continuation: return .waiting(.continuation)
      case .executor, nil: return .suspended
      }
    }
  }
}

extension RunningTask.Frame {
  fileprivate init(_ frame: InspectedFrame) {
    self.init(
      function: frame.function, source: frame.source, isOfSystem: frame.origin == .system,
      offset: frame.offset)
  }
}
