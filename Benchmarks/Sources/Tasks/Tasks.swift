import Dispatch
import Foundation
import TaskInspection

/// Measures how long it takes to list the tasks of a process, from inside and from outside.
///
///     Tasks [TRACE_VIEWER]
@main
struct Tasks {
  static func main() async throws {
    let viewer = CommandLine.arguments.dropFirst().first
    print("| waiting tasks | inside, ms | again, ms | outside, ms |\n| --- | --- | --- | --- |")
    var parked = Parked()
    for count in [1, 100, 1_000, 10_000] {
      await parked.grow(to: count)
      var times: [Double] = []
      for _ in 0..<6 {
        var found = 0
        times.append(
          try milliseconds { found = try TaskInspector.tasks(limit: .seconds(60)).count })
        guard found >= count else { fatalError("\(found) of \(count) tasks were found.") }
      }
      // The first list looks up the names of functions.
      let again = median(Array(times.dropFirst()))
      let outside = try viewer.map { viewer in
        median(try (0..<5).map { _ in try milliseconds { try inspect(with: viewer) } })
      }
      print(
        "| \(count) | \(text(times[0])) | \(text(again)) | \(outside.map(text) ?? "") |")
    }
    parked.resume()
  }

  private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    try body()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000_000
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func text(_ milliseconds: Double) -> String {
    String(format: milliseconds < 10 ? "%.1f" : "%.0f", milliseconds)
  }

  private static func inspect(with viewer: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: viewer)
    process.arguments = ["tasks", String(ProcessInfo.processInfo.processIdentifier)]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { fatalError("trace-viewer failed.") }
  }
}

/// Tasks that wait for continuations.
private struct Parked {
  private let slots = Slots()
  private var tasks: [Task<Void, Never>] = []

  mutating func grow(to count: Int) async {
    for number in tasks.count..<count {
      tasks.append(Task(name: "task \(number)") { [slots] in await slots.wait() })
    }
    while slots.count < count { await Task.yield() }
  }

  func resume() { slots.resume() }
}

private final class Slots: @unchecked Sendable {
  private let lock = NSLock()
  private var continuations: [CheckedContinuation<Void, Never>] = []

  var count: Int { lock.withLock { continuations.count } }

  func wait() async {
    await withCheckedContinuation { continuation in
      lock.withLock { continuations.append(continuation) }
    }
  }

  func resume() {
    let all = lock.withLock {
      defer { continuations = [] }
      return continuations
    }
    for continuation in all { continuation.resume() }
  }
}
