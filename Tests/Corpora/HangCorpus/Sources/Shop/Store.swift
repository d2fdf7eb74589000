import Foundation

/// A store with a delegate that reports the result of a request, and that loses some of them.
public final class Store: Sendable {
  public init() {}

  public func load(_ item: Int) async -> Int {
    await withCheckedContinuation { result in  // culprit: lostContinuation, asyncLet, xctestAsync
      if item < 0 { result.resume(returning: 0) }
      Store.lose(result)
    }
  }

  private static func lose(_ continuation: CheckedContinuation<Int, Never>) {
    // Keeps the continuation alive, so that the runtime doesn't report it.
    lock.withLock { lost.append(continuation) }
  }

  private static let lock = NSLock()
  // Guarded by the lock.
  nonisolated(unsafe) private static var lost: [CheckedContinuation<Int, Never>] = []
}

public func checkout(_ store: Store) async -> Int {
  async let price = store.load(1)
  async let tax = store.load(-1)
  return await price + tax
}

/// An actor that serves one request at a time, with a gate of its own.
public actor Cache {
  private var isLoading = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  public init() {}

  public func load(_ depth: Int) async -> Int {
    if isLoading {
      await withCheckedContinuation { waiting.append($0) }  // culprit: actorReentrancy
    }
    isLoading = true
    let total = await withTaskGroup(of: Int.self) { group in
      if depth > 0 { group.addTask { await self.load(depth - 1) } }
      var total = 0
      for await part in group { total += part }
      return total
    }
    isLoading = false
    for continuation in waiting { continuation.resume() }
    return total + 1
  }
}

/// A feed of prices that its owner never finishes.
public struct Feed: Sendable {
  public let prices: AsyncStream<Int>
  private let continuation: AsyncStream<Int>.Continuation

  public init() {
    (prices, continuation) = AsyncStream.makeStream()
    continuation.yield(3)
  }

  public func sum() async -> Int {
    var total = 0
    for await price in prices {  // culprit: stream
      total += price
    }
    return total
  }
}

/// Two tasks that wait for each other.
public final class Circle: Sendable {
  private struct Tasks {
    var first: Task<Int, Never>?
    var second: Task<Int, Never>?
  }

  private let lock = NSLock()
  // Guarded by the lock.
  nonisolated(unsafe) private var tasks = Tasks()

  public init() {}

  private func get(_ path: KeyPath<Tasks, Task<Int, Never>?>) -> Task<Int, Never>? {
    lock.withLock { tasks[keyPath: path] }
  }

  public func run() async -> Int {
    let gate = AsyncStream<Void>.makeStream()
    let first = Task {
      for await _ in gate.stream { break }
      return await self.get(\.second)?.value ?? 0  // culprit: circle
    }
    let second = Task {
      return await first.value + 1  // culprit: circle
    }
    lock.withLock { tasks = Tasks(first: first, second: second) }
    gate.continuation.yield()
    gate.continuation.finish()
    return await second.value
  }
}
