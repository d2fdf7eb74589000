import Dispatch
import Foundation
import Shop

/// Programs that hang, and servers at rest: `Desk NAME`.
@main
struct Desk {
  static func main() async throws {
    let name = CommandLine.arguments.dropFirst().first ?? ""
    switch name {
    case "acceptLoop": await acceptLoop()
    case "streamReaders": await streamReaders()
    case "heartbeatServer": await heartbeatServer()
    case "dispatchServer": await dispatchServer()
    case "pollServer": await pollServer()
    case "stuckRequest": await stuckRequest()
    case "stuckThread": await stuckThread()
    case "stuckChild": await stuckChild()
    case "readingClient": readingClient()
    case "sleepingChild": try await sleepingChild()
    case "lostAnswer": await lostAnswer()
    case "openStream": await openStream()
    case "actorSemaphore": actorSemaphore()
    case "initializing": initializing()
    case "stuckQueue": await stuckQueue()
    case "requestFirst": print(try await requestAnswer())
    default: print("No program has the name '\(name)'.")
    }
  }
}

/// A queue of requests, as the channels of server libraries are.
struct Requests: Sendable {
  let all: AsyncStream<Int>
  let feed: AsyncStream<Int>.Continuation

  init() { (all, feed) = AsyncStream.makeStream() }
}

private let requests = Requests()

/// A thread that accepts connections, and a task that handles them.
func acceptLoop() async {
  let listener = Listener()
  Thread.detachNewThread {
    while true { requests.feed.yield(Int(listener.serve())) }
  }
  for await request in requests.all { close(Int32(request)) }
}

/// Several tasks that wait for work, in a group and outside of it.
func streamReaders() async {
  let listener = Listener()
  let background = Requests()
  let worker = Task {
    for await job in background.all { background.feed.yield(job - 1) }
  }
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<3 {
      group.addTask {
        let own = Requests()
        for await request in own.all { requests.feed.yield(request) }
      }
    }
  }
  await worker.value
  close(listener.descriptor)
}

func heartbeatServer() async {
  let listener = Listener()
  Task {
    while true { try? await Task.sleep(for: .seconds(100_000)) }
  }
  for await request in requests.all { close(Int32(request)) }
  close(listener.descriptor)
}

/// A server whose connections come from an event source.
func dispatchServer() async {
  let listener = Listener()
  let source = DispatchSource.makeReadSource(fileDescriptor: listener.descriptor)
  source.setEventHandler { requests.feed.yield(Int(listener.serve())) }
  source.resume()
  for await request in requests.all { close(Int32(request)) }
  source.cancel()
}

/// A server with an event loop of its own.
func pollServer() async {
  let listener = Listener()
  Thread.detachNewThread {
    var wanted = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&wanted, 1, -1) >= 0 { requests.feed.yield(Int(listener.serve())) }
  }
  for await request in requests.all { close(Int32(request)) }
}

/// A server of which one request waits for an answer that never comes.
func stuckRequest() async {
  let listener = Listener()
  Thread.detachNewThread {
    while true { requests.feed.yield(Int(listener.serve())) }
  }
  requests.feed.yield(1)
  await withTaskGroup(of: Void.self) { group in
    for await request in requests.all {
      group.addTask { await handle(request) }
    }
  }
}

private func handle(_ request: Int) async {
  let answers = Answers()
  let answer = await answers.answer(to: request)
  print(answer)
}

private actor Answers {
  private var waiting: [Int: CheckedContinuation<Int, Never>] = [:]

  func answer(to request: Int) async -> Int {
    await withCheckedContinuation { waiting[request] = $0 }  // culprit: stuckRequest
  }
}

/// A server of which one request blocks a thread.
func stuckThread() async {
  let listener = Listener()
  let log = NSLock()
  let isLocked = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    log.withLock {
      isLocked.signal()
      _ = listener.serve()
    }
  }
  Thread.detachNewThread {
    isLocked.wait()
    write("request", to: log)
  }
  for await request in requests.all { close(Int32(request)) }
}

@inline(never)
private func write(_ text: String, to log: NSLock) {
  log.lock()  // culprit: stuckThread
  print(text)
  log.unlock()
}

/// A server of which one request blocks a thread of libdispatch.
func stuckQueue() async {
  let listener = Listener()
  DispatchQueue.global().async { renderPage() }
  for await request in requests.all { close(Int32(request)) }
  close(listener.descriptor)
}

private func renderPage() {
  let isLoaded = DispatchSemaphore(value: 0)
  isLoaded.wait()  // culprit: stuckQueue
}

/// A server of which one request waits for a child process.
func stuckChild() async {
  let listener = Listener()
  Task { try? render() }
  for await request in requests.all { close(Int32(request)) }
  close(listener.descriptor)
}

private func render() throws {
  let tool = Process()
  tool.executableURL = URL(fileURLWithPath: "/bin/sleep")
  tool.arguments = ["100000"]
  try tool.run()
  tool.waitUntilExit()  // culprit: stuckChild
}

/// A client whose server doesn't answer.
func readingClient() {
  let connection = Connection()
  print(connection.readLine())
}

func sleepingChild() async throws {
  try await withThrowingTaskGroup(of: Int.self) { group in
    group.addTask { try await beat() }
    group.addTask { 1 }
    for try await part in group { print(part) }
  }
}

private func beat() async throws -> Int {
  try await Task.sleep(for: .seconds(100_000))  // culprit: sleepingChild
  return 1
}

func lostAnswer() async {
  let store = Store()
  async let price = store.load(1)
  print(await price)
}

/// A tool that reads a stream to its end, which never comes.
func openStream() async {
  for await request in requests.all {  // culprit: openStream
    print(request)
  }
}

/// A main actor that waits for a task that needs the main actor.
@MainActor
func actorSemaphore() {
  let done = DispatchSemaphore(value: 0)
  Task { @MainActor in done.signal() }
  done.wait()  // culprit: actorSemaphore
}

func initializing() { print(settingsName()) }
