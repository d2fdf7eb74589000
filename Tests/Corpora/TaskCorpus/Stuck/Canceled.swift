import Foundation

extension TaskCase {
  static let canceled: [TaskCase] = [
    .stuck("canceled-slot", "cancelled-but-running") {
      let slot = Kept.slot
      let task = Task { await slot.waitUnlessLost() }
      await settle()
      task.cancel()
    },
    .stuck("canceled-awaiting-other", "cancelled-but-running") {
      let other = Task { try? await Task.sleep(for: .seconds(1000)) }
      let task = Task { await other.value }  // waits: canceled-awaiting-other
      await settle()
      task.cancel()
    },
    .stuck("canceled-before-it-waits", "cancelled-but-running") {
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        await withCheckedContinuation { Kept.slot.store($0) }  // waits: canceled-before-it-waits
      }
      task.cancel()
    },
    .stuck("canceled-child", "cancelled-but-running") {
      let task = Task {
        async let child: Void = withCheckedContinuation(Kept.slot.store)  // waits: canceled-child
        await child
      }
      await settle()
      task.cancel()
    },
    .stuck("canceled-timer", "cancelled-but-running") {
      let task = Task {
        await withCheckedContinuation { continuation in  // waits: canceled-timer
          DispatchQueue.global().asyncAfter(deadline: .now() + 1000) { continuation.resume() }
        }
      }
      await settle()
      task.cancel()
    },
  ]
}

/// Continuations that a global variable keeps.
enum Kept {
  static let slot = Slot()
}

extension Slot {
  fileprivate func waitUnlessLost() async {
    await withCheckedContinuation { store($0) }  // waits: canceled-slot
  }
}
