import Dispatch
import ReactiveTrace
import SystemLibrary
import TraceFormat

/// A client whose answers get lost.
private enum PaymentClient {
  /// Waits for an answer that nothing sends.
  static func pay() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
}

/// A feed of the main actor that only its own task keeps alive.
@MainActor
private final class Feed {
  private let news = AsyncStream.makeStream(of: String.self)
  private var items: [String] = []

  func follow() {
    Task { for await item in news.stream { items.append(item) } }
  }
}

/// Processes that leave tasks behind, as tests do.
enum LeftTasks {
  /// Prints the tasks that a body leaves behind, and exits.
  static func find(way: String) -> Never {
    Task { @MainActor in
      for task in await find(way) { print(task) }
      print("done")
      fflush(nil)
      exit(0)
    }
    dispatchMain()
  }

  @MainActor
  private static func leftovers(_ body: () async -> Void) async -> [StuckTask] {
    let found = try? await Trace.leftovers(
      subscriptions: false, tasks: true, grace: .milliseconds(1), body)
    return found?.leftovers.tasks ?? []
  }

  @MainActor
  private static func find(_ way: String) async -> [StuckTask] {
    switch way {
    case "lost": return await leftovers { Task { await PaymentClient.pay() } }
    case "stream": return await leftovers { Feed().follow() }
    case "of-child":
      return await leftovers {
        await withTaskGroup(of: Void.self) { group in
          group.addTask { Task { await PaymentClient.pay() } }
        }
      }
    case "detached": return await leftovers { Task.detached { await PaymentClient.pay() } }
    case "open":
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      defer { continuation.finish() }
      return await leftovers { Task { for await _ in stream {} } }
    case "ended":
      return await leftovers {
        Task { await Task.yield() }
        await Task { await Task.yield() }.value
      }
    case "of-another-test":
      // Two bodies at the same time, of which only one leaves a task behind.
      async let other = leftovers { Task { await PaymentClient.pay() } }
      let own = await leftovers { await Task { await Task.yield() }.value }
      print("other: \(await other.count)")
      return own
    case "canceled":
      return await leftovers {
        let task = Task {
          await withUnsafeContinuation { kept = $0 }
        }
        await Task.yield()
        task.cancel()
      }
    case "busy-thread":
      // Only the stack of a thread that runs has the continuation. It isn't in the closure, to
      // which the argument of the thread leads.
      return await leftovers {
        let (starts, resumer) = AsyncStream.makeStream(of: Void.self)
        let parcel = Parcel()
        Task {
          await withUnsafeContinuation { continuation in
            parcel.put(continuation)
            _ = OwnThread.start(0) { _ in
              let continuation = parcel.take()
              resumer.yield()
              while getpid() != 0 {}
              continuation?.resume()
            }
          }
        }
        for await _ in starts { break }
      }
    default:
      print("unknown way \(way)")
      return []
    }
  }

  @MainActor private static var kept: UnsafeContinuation<Void, Never>?
}

/// Hands a continuation over to a thread.
private final class Parcel: Sendable {
  private let continuation = BlockingMutex<UnsafeContinuation<Void, Never>?>(nil)

  func put(_ continuation: UnsafeContinuation<Void, Never>) {
    self.continuation.withLock { $0 = continuation }
  }

  func take() -> UnsafeContinuation<Void, Never>? { continuation.withLock { $0.take() } }
}
