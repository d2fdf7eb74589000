import Dispatch
import Foundation

extension TaskCase {
  static let lost: [TaskCase] = [
    .stuck("dropped", "lost-continuation") {
      Task {
        await withCheckedContinuation { (_: Checked) in }  // waits: dropped
      }
    },
    .stuck("dropped-unsafe", "lost-continuation") {
      Task {
        await withUnsafeContinuation { (_: Unsafe) in }  // waits: dropped-unsafe
      }
    },
    .stuck("dropped-throwing", "lost-continuation") {
      Task {
        let _: Int = try await withCheckedThrowingContinuation { _ in }  // waits: dropped-throwing
      }
    },
    .stuck("dropped-detached", "lost-continuation") {
      Task.detached(priority: .background) {
        await withCheckedContinuation { (_: Checked) in }  // waits: dropped-detached
      }
    },
    .stuck("callback-never-called", "lost-continuation") {
      Task { await Download().load() }
    },
    .stuck("early-return", "lost-continuation") {
      Task { await Cache().value(for: "") }
    },
    .stuck("replaced-callback", "lost-continuation") {
      let slot = Slot()
      Task { await slot.wait() }
      await settle()
      Task { await slot.wait(2) }
      await settle()
      slot.finish()
    },
    .stuck("freed-owner", "lost-continuation") {
      Task {
        await withCheckedContinuation { continuation in  // waits: freed-owner
          let owner = Slot()
          owner.store(continuation)
        }
      }
    },
    .stuck("box-of-its-own", "lost-continuation") {
      Task {
        let slot = Slot()
        await withCheckedContinuation { slot.store($0) }  // waits: box-of-its-own
        slot.finish()
      }
    },
    .stuck("in-a-cycle", "lost-continuation") {
      Task {
        await withCheckedContinuation { continuation in  // waits: in-a-cycle
          let node = Node()
          node.me = node
          node.continuation = continuation
        }
      }
    },
    .stuck("group-child", "lost-continuation") {
      Task {
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            await withCheckedContinuation { (_: Checked) in }  // waits: group-child
          }
          await group.waitForAll()
        }
      }
    },
    .stuck("async-let-child", "lost-continuation") {
      Task {
        async let value: Void = neverResumed()
        await value
      }
    },
    .stuck("handle-in-global", "lost-continuation") {
      Handles.shared.add(
        Task {
          await withUnsafeContinuation { (_: Unsafe) in }  // waits: handle-in-global
        })
    },
    .stuck("ended-thread", "lost-continuation") {
      Task {
        await withUnsafeContinuation { (continuation: Unsafe) in  // waits: ended-thread
          onThread { leaveOnStack(continuation) }
        }
      }
    },
    .stuck("deep", "lost-continuation") {
      Task { await outermost() }
    },
    .stuck("in-actor", "lost-continuation") {
      let counter = Counter()
      Task { await counter.waitForever() }
    },
    .stuck("on-main-actor", "lost-continuation") {
      Task { @MainActor in
        await withCheckedContinuation { (_: Checked) in }  // waits: on-main-actor
      }
    },
  ]
}

private func neverResumed() async {
  await withCheckedContinuation { (_: Checked) in }  // waits: async-let-child
}

private final class Download: Sendable {
  func load() async {
    await withCheckedContinuation { continuation in  // waits: callback-never-called
      start { continuation.resume() }
    }
  }

  private func start(_ completion: @escaping @Sendable () -> Void) {}
}

private struct Cache {
  func value(for key: String) async {
    await withCheckedContinuation { continuation in  // waits: early-return
      guard !key.isEmpty else { return }
      continuation.resume()
    }
  }
}

typealias Checked = CheckedContinuation<Void, Never>
private typealias Unsafe = UnsafeContinuation<Void, Never>

/// Runs code on a thread of its own, and returns when the thread has ended. The C library keeps its
/// stack for another thread.
private func onThread(_ body: @escaping @Sendable () -> Void) {
  final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let work = Unmanaged.passRetained(Work(body)).toOpaque()
  let error = pthread_create(
    &thread, nil,
    { argument in
      if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
      return nil
    }, work)
  precondition(error == 0 && pthread_join(thread, nil) == 0)
}

@inline(never)
private func leaveOnStack(_ continuation: Unsafe) {
  withUnsafeTemporaryAllocation(of: Unsafe.self, capacity: 64) {
    $0.initialize(repeating: continuation)
  }
}

/// A place for one continuation.
final class Slot: @unchecked Sendable {
  private let lock = NSLock()
  private var continuation: CheckedContinuation<Void, Never>?

  func store(_ continuation: CheckedContinuation<Void, Never>) {
    lock.withLock { self.continuation = continuation }
  }

  func wait() async {
    await withCheckedContinuation { store($0) }  // waits: replaced-callback
  }

  func wait(_ number: Int) async {
    await withCheckedContinuation { store($0) }
  }

  func finish() {
    let continuation = lock.withLock {
      defer { self.continuation = nil }
      return self.continuation
    }
    continuation?.resume()
  }
}

private final class Node: @unchecked Sendable {
  var me: Node?
  var continuation: CheckedContinuation<Void, Never>?
}

/// Tasks that somebody could cancel.
final class Handles: @unchecked Sendable {
  static let shared = Handles()
  private let lock = NSLock()
  private var tasks: [Task<Void, Never>] = []

  func add(_ task: Task<Void, Never>) { lock.withLock { tasks.append(task) } }
  var first: Task<Void, Never>? { lock.withLock { tasks.first } }
  func cancel() { for task in lock.withLock({ tasks }) { task.cancel() } }
}

@inline(never)
private func outermost() async { await middle() }

@inline(never)
private func middle() async {
  await innermost()
  print("never")
}

@inline(never)
private func innermost() async {
  await withCheckedContinuation { (_: Checked) in }  // waits: deep
  print("never")
}

private actor Counter {
  func waitForever() async {
    await withCheckedContinuation { (_: Checked) in }  // waits: in-actor
  }
}
