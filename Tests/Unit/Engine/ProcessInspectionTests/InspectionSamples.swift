import ProcessMemory
import SwiftRuntime

@testable import ProcessInspection

@testable import TaskInspection

/// Inspections of processes that don't exist.
enum InspectionSamples {
  static func frame(
    _ function: String, line: Int? = nil, _ origin: InspectedFrame.Origin = .user,
    symbol: String? = nil
  ) -> InspectedFrame {
    InspectedFrame(
      function: function, source: line.map { "App/File.swift:\($0)" }, path: nil,
      offset: "app+0x10", origin: origin, symbol: symbol)
  }

  static let running: UInt = 0x800
  static let enqueued: UInt = 0x1000
  static let waiting: UInt = 0x4000

  /// Returns a task whose address is its number times 256.
  static func task(
    _ number: UInt64, name: String? = nil, status: UInt = waiting,
    waitsFor wait: TaskRecord.Wait? = nil, parent: UInt? = nil, frames: [InspectedFrame] = [],
    thread: Int32? = nil, executor: String? = nil, hasMoved: Bool = false
  ) -> InspectedTask {
    InspectedTask(
      record: TaskRecord(
        address: UInt(number) * 256, number: number, name: name, status: TaskStatus(status | 21),
        wait: wait, parent: parent, code: frames.map { address($0.function ?? "") }),
      frames: frames, thread: thread, executor: executor, hasMoved: hasMoved)
  }

  /// Returns an address for a function, a different one for each name.
  private static func address(_ function: String) -> UInt {
    function.utf8.reduce(1) { $0 &* 31 &+ UInt($1) }
  }

  static func inspection(
    tasks: [InspectedTask] = [], threads: [InspectedThread] = [], poolSize: Int = 2,
    isComplete: Bool = true, tracer: Int32? = nil, hasListener: Bool = false
  ) -> Inspection {
    Inspection(
      process: ProcessEntry(
        process: 100, parent: 1, command: ["./app"], isZombie: false, start: 0),
      taskList: .found(isComplete: isComplete), tasks: tasks, threads: threads,
      tracer: tracer, poolSize: poolSize, hasListener: hasListener)
  }
}
