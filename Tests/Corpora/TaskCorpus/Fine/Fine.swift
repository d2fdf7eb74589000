import Dispatch
import Foundation

extension TaskCase {
  static let fine: [TaskCase] = [
    .fine("nothing") {},
    .fine("sleeping") { Task { try? await Task.sleep(for: .seconds(1000)) } },
    .fine("sleeping-on-clock") {
      Task { try? await ContinuousClock().sleep(until: .now + .seconds(1000)) }
    },
    .fine("timer") {
      Task {
        await withCheckedContinuation { continuation in
          DispatchQueue.global().asyncAfter(deadline: .now() + 1000) { continuation.resume() }
        }
      }
    },
    .fine("dispatch-source") {
      Task {
        await withCheckedContinuation { continuation in
          let source = DispatchSource.makeTimerSource()
          source.schedule(deadline: .now() + 1000)
          source.setEventHandler { continuation.resume() }
          source.resume()
          Sources.shared.add(source)
        }
      }
    },
    .fine("suspended-queue") {
      Task {
        await withCheckedContinuation { continuation in
          Queues.suspended.async { continuation.resume() }
        }
      }
    },
    .fine("global-slot") { Task { await Kept.slot.wait() } },
    .fine("global-unsafe") {
      Task { await withUnsafeContinuation { Globals.continuation = $0 } }
    },
    .fine("in-dictionary") {
      Task { await withCheckedContinuation { Globals.byName["a"] = $0 } }
    },
    .fine("blocked-thread") {
      Task {
        await withCheckedContinuation { continuation in
          Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 1000)
            continuation.resume()
          }
        }
      }
    },
    .fine("blocked-thread-unsafe") {
      Task {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
          Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 1000)
            continuation.resume()
          }
        }
      }
    },
    .fine("pipe-reader") {
      Task {
        await withCheckedContinuation { continuation in
          let pipe = Pipe()
          pipe.fileHandleForReading.readabilityHandler = { _ in continuation.resume() }
          Globals.pipe = pipe
        }
      }
    },
    .fine("actor-at-rest") {
      let worker = Worker()
      Globals.worker = worker
      Task { await worker.next() }
    },
    .fine("held-by-a-sleeping-task") {
      let slot = Slot()
      Task { await slot.wait() }
      Task {
        try? await Task.sleep(for: .seconds(1000))
        slot.finish()
      }
    },
    .fine("awaits-a-sleeping-task") {
      let other = Task { try? await Task.sleep(for: .seconds(1000)) }
      Task { await other.value }
    },
    .fine("ended") {
      let task = Task { 1 }
      _ = await task.value
    },
    .fine("canceled-sleep") {
      let task = Task { try? await Task.sleep(for: .seconds(1000)) }
      await settle()
      task.cancel()
      await task.value
    },
    .fine("canceled-with-handler") {
      let slot = Slot()
      let task = Task {
        await withTaskCancellationHandler {
          await slot.wait()
        } onCancel: {
          slot.finish()
        }
      }
      await settle()
      task.cancel()
      await task.value
    },
    .fine("handle-with-handler") {
      let slot = Slot()
      Handles.shared.add(
        Task {
          await withTaskCancellationHandler {
            await slot.wait()
          } onCancel: {
            slot.finish()
          }
        })
    },
    .fine("manual-memory") {
      Task {
        await withUnsafeContinuation { continuation in
          let memory = UnsafeMutablePointer<UnsafeContinuation<Void, Never>>.allocate(capacity: 1)
          memory.initialize(to: continuation)
          Globals.memory = memory
        }
      }
    },
    .fine("work-item") {
      Task {
        await withCheckedContinuation { continuation in
          let item = DispatchWorkItem { continuation.resume() }
          DispatchQueue.global().asyncAfter(deadline: .now() + 1000, execute: item)
        }
      }
    },
    .fine("operation-queue") {
      Task {
        await withCheckedContinuation { continuation in
          let queue = OperationQueue()
          queue.isSuspended = true
          queue.addOperation { continuation.resume() }
          Globals.operations = queue
        }
      }
    },
    .fine("thread-value") {
      Task {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
          Thread.detachNewThread {
            Thread.current.threadDictionary["continuation"] = continuation
            while true { Thread.sleep(forTimeInterval: 1000) }
          }
        }
      }
    },
    .fine("main-actor-at-rest") {
      Task { @MainActor in await Kept.slot.wait() }
    },
  ]
}

enum Globals {
  nonisolated(unsafe) static var continuation: UnsafeContinuation<Void, Never>?
  nonisolated(unsafe) static var byName: [String: CheckedContinuation<Void, Never>] = [:]
  nonisolated(unsafe) static var pipe: Pipe?
  nonisolated(unsafe) static var memory: UnsafeMutablePointer<UnsafeContinuation<Void, Never>>?
  nonisolated(unsafe) static var operations: OperationQueue?
  nonisolated(unsafe) static var keeper: AnyObject?
  fileprivate nonisolated(unsafe) static var worker: Worker?
}

final class Sources: @unchecked Sendable {
  static let shared = Sources()
  private var all: [any DispatchSourceProtocol] = []
  func add(_ source: any DispatchSourceProtocol) { all.append(source) }
}

enum Queues {
  static let suspended: DispatchQueue = {
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    return queue
  }()
}

private actor Worker {
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func next() async { await withCheckedContinuation { waiting.append($0) } }
  func stop() { for continuation in waiting { continuation.resume() } }
}
