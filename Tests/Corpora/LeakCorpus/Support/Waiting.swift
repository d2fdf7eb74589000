import Foundation
import ReactiveKit

/// Waits on the main actor until the condition holds, and lets other tasks run meanwhile.
@MainActor
func wait(until condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}

/// A number that any thread may change.
final class Counter: Sendable {
  private let count = Locked(0)

  var value: Int { count.withLock { $0 } }

  func increase() { count.withLock { $0 += 1 } }
}

/// Runs both bodies at the same time on two threads, and returns when both have returned.
func race(_ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void) {
  let ended = DispatchGroup()
  for (name, body) in [("first", first), ("second", second)] {
    DispatchQueue(label: name).async(group: ended, execute: DispatchWorkItem(block: body))
  }
  ended.wait()
}
