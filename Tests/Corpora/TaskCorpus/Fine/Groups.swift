import Foundation

extension TaskCase {
  static let fineGroups: [TaskCase] = [
    .fine("group-of-sleepers") {
      Task {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<5 { group.addTask { try? await Task.sleep(for: .seconds(1000)) } }
        }
      }
    },
    .fine("discarding-group") {
      Task {
        await withDiscardingTaskGroup { group in
          for _ in 0..<5 { group.addTask { try? await Task.sleep(for: .seconds(1000)) } }
        }
      }
    },
    .fine("server") {
      Task {
        await withDiscardingTaskGroup { group in
          let (requests, input) = AsyncStream<Int>.makeStream()
          Globals.keeper = Listener(input)
          for await _ in requests { group.addTask {} }
        }
      }
    },
    .fine("async-let") {
      Task {
        async let first: Void? = try? Task.sleep(for: .seconds(1000))
        async let second: Void? = try? Task.sleep(for: .seconds(1000))
        _ = await (first, second)
      }
    },
    .fine("async-let-resumes-parent") {
      Task {
        let slot = Slot()
        async let child: Void = finishLater(slot)
        await slot.wait()
        await child
      }
    },
    .fine("group-child-resumes-parent") {
      Task {
        let slot = Slot()
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await finishLater(slot) }
          await slot.wait()
        }
      }
    },
    .fine("group-with-a-loser") {
      Task {
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await Kept.slot.wait() }
          group.addTask { try? await Task.sleep(for: .seconds(1000)) }
          await group.next()
          group.cancelAll()
        }
      }
    },
    .fine("nested-groups") {
      Task {
        await withTaskGroup(of: Void.self) { outer in
          outer.addTask {
            await withTaskGroup(of: Void.self) { inner in
              inner.addTask { try? await Task.sleep(for: .seconds(1000)) }
            }
          }
        }
      }
    },
    .fine("many-ended") {
      await withTaskGroup(of: Int.self) { group in
        for number in 0..<200 { group.addTask { number } }
        for await _ in group {}
      }
    },
  ]
}

private func finishLater(_ slot: Slot) async {
  try? await Task.sleep(for: .seconds(1000))
  slot.finish()
}

private final class Listener: Sendable {
  private let input: AsyncStream<Int>.Continuation
  init(_ input: AsyncStream<Int>.Continuation) { self.input = input }
}
