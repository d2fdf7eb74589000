import Dispatch
import Foundation

public func waitInTask() async -> Int {
  let done = DispatchSemaphore(value: 0)
  Task { @MainActor in _ = done }
  waitFor(done)
  return 1
}

private func waitFor(_ done: DispatchSemaphore) {
  done.wait()  // culprit: semaphore
}

/// Two queues that wait for each other.
public func transfer() {
  let accounts = DispatchQueue(label: "accounts")
  let journal = DispatchQueue(label: "journal")
  let both = DispatchSemaphore(value: 0)
  accounts.sync {
    DispatchQueue.global().async {
      journal.sync {
        both.signal()
        accounts.sync {}  // culprit: queues
      }
    }
    both.wait()
    journal.sync {}  // culprit: queues
  }
}

/// As many tasks as the pool has threads, each of which blocks its thread.
public func blockPool() async -> Int {
  let opened = DispatchSemaphore(value: 0)
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount * 2 {
      group.addTask { block(opened) }
    }
    group.addTask { opened.signal() }
  }
  return 1
}

private func block(_ opened: DispatchSemaphore) {
  opened.wait()  // culprit: pool
  opened.wait()  // culprit: pool
}

nonisolated(unsafe) public var attempts = 0

/// Looks for a number that doesn't exist.
public func search(_ limit: Int) -> Int {
  var number = limit
  while number != 0 {  // culprit: loop
    number = number &* 3 | 1  // culprit: loop
    attempts &+= 1  // culprit: loop
  }  // culprit: loop
  return number
}

public func runTool() throws -> Int32 {
  let tool = Process()
  tool.executableURL = URL(fileURLWithPath: "/bin/sleep")
  tool.arguments = ["100000"]
  try tool.run()
  tool.waitUntilExit()  // culprit: child
  return tool.terminationStatus
}

/// Two locks that two threads take in a different order.
public final class Accounts: @unchecked Sendable {
  private let first = NSLock()
  private let second = NSLock()
  private let both = DispatchSemaphore(value: 0)

  public init() {}

  public func deposit() {
    let thread = Thread {
      self.second.lock()
      self.both.signal()
      self.first.lock()  // culprit: locks
      self.first.unlock()
      self.second.unlock()
    }
    first.lock()
    thread.start()
    both.wait()
    second.lock()  // culprit: locks
    second.unlock()
    first.unlock()
  }
}

/// A screen whose main actor waits for a result that only the main actor can produce.
@MainActor
public final class Screen {
  private let loaded = DispatchSemaphore(value: 0)

  public init() {}

  public func open() -> Int {
    Task { @MainActor in loaded.signal() }
    loaded.wait()  // culprit: mainActor
    return 1
  }
}

/// Writes more than a pipe can hold.
public func export() throws -> Int {
  let pipe = Pipe()
  let lines = Data(repeating: 10, count: 1 << 20)
  try pipe.fileHandleForWriting.write(contentsOf: lines)  // culprit: pipe
  return lines.count
}

public func retry() async throws -> Int {
  try await withThrowingTaskGroup(of: Int.self) { group in
    group.addTask {
      try await Task.sleep(for: .seconds(100_000))  // culprit: group
      return 1
    }
    group.addTask { 2 }
    var total = 0
    for try await part in group { total += part }
    return total
  }
}
