import Dispatch

// A program for Scripts/machines: tasks that wait for something of each kind, a thread that is
// blocked, and three mistakes that leak objects.

final class Cart {
  var items = [1, 2, 3]
  var onChange: (() -> Void)?
}

final class Node {
  var next: Node?
  let payload = [UInt8](repeating: 7, count: 100)
}

@inline(never)
func leakClosure() {
  let cart = Cart()
  cart.onChange = { cart.items.append(1) }
  cart.onChange?()
}

@inline(never)
func leakNodes() {
  let (first, second) = (Node(), Node())
  first.next = second
  second.next = first
}

@inline(never)
func leakRetained() { _ = Unmanaged.passRetained(Node()) }

/// Leaves free blocks of many sizes.
@inline(never)
func useMemory() {
  var nodes = (0..<200).map { _ in Node() }
  let texts = (1..<100).map { String(repeating: "x", count: $0 * 7) }
  nodes.removeAll()
  withExtendedLifetime(texts) {}
}

final class Box {
  var continuation: CheckedContinuation<Int, Never>?
}

actor Store {
  private let box = Box()
  private var count = 0

  /// Waits for a continuation that nothing resumes.
  func load() async -> Int { await withCheckedContinuation { box.continuation = $0 } }

  func slow() async {
    count += 1
    await sleepLong()
  }
}

func sleepLong() async { try? await Task.sleep(nanoseconds: 3_600_000_000_000) }

func wait() async { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }

struct Traced {
  @TaskLocal static var number = 0
}

@inline(never)
func block() -> DispatchSemaphore {
  let semaphore = DispatchSemaphore(value: 0)
  DispatchQueue(label: "zoo.blocked").async {
    semaphore.wait()
    print("never")
  }
  return semaphore
}

@main
enum Zoo {
  static func main() async {
    for _ in 0..<3 { leakClosure() }
    leakNodes()
    leakRetained()
    useMemory()
    let store = Store()
    let (stream, source) = AsyncStream<Int>.makeStream()
    let waiting = Task { await wait() }
    let tasks: [Any] = [
      Task { await store.load() },
      Task { await store.slow() },
      Task.detached(priority: .background) { await sleepLong() },
      Task {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<3 { group.addTask { await sleepLong() } }
        }
      },
      Task { for await number in stream { print(number) } },
      Task {
        async let end: Void = wait()
        await end
      },
      Task { await Traced.$number.withValue(42) { await wait() } },
      Task { await waiting.value },
    ]
    let canceled = Task { await wait() }
    canceled.cancel()
    let semaphore = block()
    await sleepLong()
    withExtendedLifetime((store, source, tasks, semaphore)) {}
  }
}
