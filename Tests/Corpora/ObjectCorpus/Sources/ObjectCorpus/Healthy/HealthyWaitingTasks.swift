import Dispatch
import Foundation

extension ObjectCase {
  /// Tasks that wait, and that something can still resume. Each resembles a leak.
  static var healthyWaitingTasks: [ObjectCase] {
    [
      .healthy("loop-of-stream-of-timer", alive: ["Listening": 1]) {
        let listening = Listening()
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + 1000, repeating: 1000)
        timer.setEventHandler { [input = listening.input] in input.yield(1) }
        timer.activate()
        Waiters.timer = timer
        listening.start()
      },
      .healthy("loop-of-stream-of-later-block", alive: ["Listening": 1]) {
        let listening = Listening()
        let input = listening.input
        DispatchQueue.global().asyncAfter(deadline: .now() + 1000) { input.yield(1) }
        listening.start()
      },
      .healthy("loop-of-stream-of-sleeping-task", alive: ["Listening": 1]) {
        let listening = Listening()
        let input = listening.input
        Task {
          while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1000))
            input.yield(1)
          }
        }
        listening.start()
      },
      .healthy("loop-of-stream-of-global", alive: ["Listening": 1]) {
        let listening = Listening()
        Waiters.inputs.append(listening.input)
        listening.start()
      },
      .healthy("loop-of-stream-of-thread", alive: ["Listening": 1]) {
        let listening = Listening()
        let input = listening.input
        Background.run { ready in
          ready.signal()
          Waiting.forever()
          input.yield(1)
        }
        listening.start()
      },
      // The thread that accepts connections has the continuation in a frame.
      .healthy("loop-of-server", alive: ["Listening": 1]) {
        let listening = Listening()
        let input = listening.input
        Background.run { ready in
          let file = socket(AF_UNIX, Waiters.streamSocket, 0)
          bindToUnusedName(file)
          listen(file, 1)
          ready.signal()
          while true {
            let connection = accept(file, nil, nil)
            guard connection >= 0 else { break }
            input.yield(Int(connection))
          }
        }
        listening.start()
      },
      .healthy("loop-of-events-of-file", alive: ["Listening": 1]) {
        let listening = Listening()
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        let source = DispatchSource.makeReadSource(fileDescriptor: ends[0])
        source.setEventHandler { [input = listening.input] in input.yield(1) }
        source.activate()
        Waiters.source = source
        listening.start()
      },
      .healthy("loops-of-streams-of-global", alive: ["Listening": 100]) {
        for _ in 0..<100 {
          let listening = Listening()
          Waiters.inputs.append(listening.input)
          listening.start()
        }
      },
      .healthy("continuation-on-waiting-stack", alive: ["Item": 1]) {
        let item = Item()
        Background.run { ready in
          Task {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
              Waiters.bits = unsafeBitCast(continuation, to: UInt.self)
              Waiters.isStored.signal()
            }
            item.use()
          }
          Waiters.isStored.wait()
          let continuation = unsafeBitCast(
            Waiters.bits, to: UnsafeContinuation<Void, Never>.self)
          Waiters.bits = 0
          ready.signal()
          Waiting.forever()
          continuation.resume()
        }
      },
      .healthy("continuation-in-block-of-semaphore", alive: ["Item": 1]) {
        let item = Item()
        let isSet = DispatchSemaphore(value: 0)
        wait(with: item) { continuation in
          DispatchQueue.global().async {
            isSet.wait()
            continuation.resume()
          }
        }
      },
      .healthy("continuation-in-suspended-queue", alive: ["Item": 1]) {
        let item = Item()
        Waiters.queue.suspend()
        wait(with: item) { continuation in
          Waiters.queue.async { continuation.resume() }
        }
      },
      .healthy("continuation-in-mapped-memory", alive: ["Item": 1]) {
        let item = Item()
        wait(with: item) { continuation in
          let memory = Memory.map(MAP_PRIVATE)
          memory.storeBytes(
            of: unsafeBitCast(continuation, to: UInt.self), toByteOffset: 4096, as: UInt.self)
          Memory.word = UInt(bitPattern: memory)
        }
      },
      .healthy("continuation-in-list-of-memory", alive: ["Item": 1]) {
        let item = Item()
        wait(with: item) { continuation in
          let first = Memory.makeBlock(32)
          let second = Memory.makeBlock(72)
          first.storeBytes(of: UInt(bitPattern: second), toByteOffset: 8, as: UInt.self)
          // As an unused item of libdispatch: the number of items, and no next item.
          second.storeBytes(of: 1, toByteOffset: 8, as: Int.self)
          second.storeBytes(
            of: unsafeBitCast(continuation, to: UInt.self), toByteOffset: 40, as: UInt.self)
          Memory.raw = first
        }
      },
      .healthy("task-is-canceled-later", alive: ["Item": 2]) {
        let item = Item()
        Waiters.task = Task {
          let box = Item()
          await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
              let bits = unsafeBitCast(continuation, to: Int.self)
              Waiters.isStored.signal()
              box.number = bits
            }
          } onCancel: {
            unsafeBitCast(box.number, to: UnsafeContinuation<Void, Never>.self).resume()
          }
          item.use()
        }
        Waiters.isStored.wait()
      },
      .healthy("task-awaits-sleeping-child", alive: ["Item": 2]) {
        let item = Item()
        let isWaiting = DispatchSemaphore(value: 0)
        Task {
          await withTaskGroup(of: Void.self) { group in
            group.addTask {
              await withTaskGroup(of: Void.self) { inner in
                inner.addTask {
                  let item = Item()
                  isWaiting.signal()
                  try? await Task.sleep(for: .seconds(1000))
                  item.use()
                }
              }
            }
          }
          item.use()
        }
        isWaiting.wait()
      },
      .healthy("chain-of-awaited-tasks", alive: ["Item": 20]) {
        let isWaiting = DispatchSemaphore(value: 0)
        var last = Task {
          isWaiting.signal()
          try? await Task.sleep(for: .seconds(1000))
        }
        isWaiting.wait()
        for _ in 0..<20 {
          let item = Item()
          let awaited = last
          last = Task {
            isWaiting.signal()
            await awaited.value
            item.use()
          }
          isWaiting.wait()
        }
      },
      .healthy("task-on-busy-executor", alive: ["Item": 1]) {
        let item = Item()
        let actor = BusyActor()
        Waiters.actor = actor
        Task { await actor.block() }
        BusyActor.isBusy.wait()
        Task {
          BusyActor.isBusy.signal()
          await actor.use(item)
        }
        BusyActor.isBusy.wait()
      },
      .healthy("job-in-own-executor", alive: ["Item": 1]) {
        let item = Item()
        let actor = ShelvedActor()
        Task { await actor.use(item) }
        Shelf.isFilled.wait()
      },
      .healthy("exit-while-main-waits-for-task", alive: ["Item": 1, "Listening": 1]) {
        let item = Item()
        let listening = Listening()
        listening.start()
        Waiters.inputs.append(listening.input)
        let isDone = DispatchSemaphore(value: 0)
        Task {
          await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            Waiters.bits = unsafeBitCast(continuation, to: UInt.self)
            Waiters.isStored.signal()
          }
          item.use()
          isDone.signal()
        }
        Waiters.isStored.wait()
        let continuation = unsafeBitCast(
          Waiters.bits, to: UnsafeContinuation<Void, Never>.self)
        Waiters.bits = 0
        Thread.detachNewThread { exit(0) }
        Waiting.forever()
        continuation.resume()
        isDone.wait()
      },
      .healthy("continuation-in-event-list", alive: ["Item": 1]) {
        let item = Item()
        wait(with: item) { storeInEventList(unsafeBitCast($0, to: UInt.self)) }
      },
    ]
  }
}

/// Starts a task that waits for a continuation, which `store` puts somewhere.
private func wait(
  with item: Item, _ store: @escaping @Sendable (UnsafeContinuation<Void, Never>) -> Void
) {
  let isStored = DispatchSemaphore(value: 0)
  Task {
    await withUnsafeContinuation {
      store($0)
      isStored.signal()
    }
    item.use()
  }
  isStored.wait()
}

/// Gives a word to the kernel, which returns it with an event.
private func storeInEventList(_ word: UInt) {
  #if os(Linux)
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    typealias Create = @convention(c) (Int32) -> Int32
    typealias Control = @convention(c) (Int32, Int32, Int32, UnsafeMutableRawPointer) -> Int32
    // The module of the C library doesn't have these functions.
    guard let create = dlsym(nil, "epoll_create1"), let control = dlsym(nil, "epoll_ctl") else {
      fatalError("There isn't an event list.")
    }
    let list = unsafeBitCast(create, to: Create.self)(0)
    // An event: the set of events, and a word without padding before it.
    var event: [UInt32] = [1, UInt32(truncatingIfNeeded: word), UInt32(word >> 32)]
    let add: Int32 = 1
    _ = unsafeBitCast(control, to: Control.self)(list, add, ends[0], &event)
  #else
    Waiters.bits = word
  #endif
}

/// Gives a socket a name.
private func bindToUnusedName(_ file: Int32) {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  // Without a name, Linux chooses an unused one.
  _ = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(file, $0, socklen_t(MemoryLayout<sa_family_t>.size))
    }
  }
}

private enum Waiters {
  nonisolated(unsafe) static var timer: (any DispatchSourceTimer)?
  nonisolated(unsafe) static var source: (any DispatchSourceRead)?
  nonisolated(unsafe) static var inputs: [AsyncStream<Int>.Continuation] = []
  nonisolated(unsafe) static var task: Task<Void, Never>?
  nonisolated(unsafe) static var actor: BusyActor?
  nonisolated(unsafe) static var bits: UInt = 0
  static let isStored = DispatchSemaphore(value: 0)
  static let queue = DispatchQueue(label: "waiters")

  #if os(Linux)
    static let streamSocket = Int32(SOCK_STREAM.rawValue)
  #else
    static let streamSocket = SOCK_STREAM
  #endif
}

/// An object whose task waits for the values of a stream. It doesn't own the input.
private final class Listening: @unchecked Sendable {
  private let values: AsyncStream<Int>
  let input: AsyncStream<Int>.Continuation
  private var sum = 0

  init() {
    (values, input) = AsyncStream.makeStream()
    Life.begin(self, "Listening")
  }
  deinit { Life.end("Listening") }

  func start() {
    let isWaiting = DispatchSemaphore(value: 0)
    Task {
      isWaiting.signal()
      for await value in values { self.sum += value }
    }
    isWaiting.wait()
  }
}

/// An actor on which one task blocks its thread while another one waits for its turn.
private actor BusyActor {
  static let isBusy = DispatchSemaphore(value: 0)

  func block() {
    Self.isBusy.signal()
    Waiting.forever()
  }

  func use(_ item: Item) { item.use() }
}

/// An executor that keeps its jobs and runs them later.
private final class Shelf: SerialExecutor, @unchecked Sendable {
  static let shared = Shelf()
  static let isFilled = DispatchSemaphore(value: 0)
  private var jobs: [UnownedJob] = []

  func enqueue(_ job: UnownedJob) {
    jobs.append(job)
    Self.isFilled.signal()
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}

private actor ShelvedActor {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    Shelf.shared.asUnownedSerialExecutor()
  }

  func use(_ item: Item) { item.use() }
}
