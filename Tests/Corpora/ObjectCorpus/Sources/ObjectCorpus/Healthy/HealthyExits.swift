import Foundation

extension ObjectCase {
  /// The program ends while functions have the objects in their frames.
  static var healthyExits: [ObjectCase] {
    [
      .healthy("exit-deep", alive: ["Item": 50]) { descend(50) { leave() } },
      // The compiler knows that the call doesn't return, so it never releases the object.
      .healthy("exit-known-to-end", alive: ["Item": 1]) {
        let item = Item()
        item.use()
        exit(0)
      },
      .healthy("exit-known-to-end-deep", alive: ["Item": 3]) { descendAndExit(3) },
      .healthy("exit-in-callback", alive: ["Item": 2]) {
        let item = Item()
        // The key is the context of the callback.
        let context = Unmanaged.passUnretained(item).toOpaque()
        bsearch(context, [1, 2, 3], 3, 8) { context, _ in
          let context: UnsafeRawPointer? = context
          guard let context else { return 0 }
          let item = Item(next: Unmanaged.fromOpaque(context).takeUnretainedValue())
          leave()
          item.use()
          return 0
        }
        item.use()
      },
      .healthy("exit-in-sort", alive: ["Item": 3]) {
        let items = (0..<3).map { Item(number: $0) }
        let sorted = items.sorted { one, other in
          leave()
          return one.number < other.number
        }
        for item in sorted { item.use() }
      },
      .healthy("exit-in-defer", alive: ["Item": 1]) {
        let item = Item()
        defer {
          leave()
          item.use()
        }
        item.use()
      },
      .healthy("exit-in-deinit", alive: ["Item": 1, "Leaver": 1]) {
        let item = Item()
        _ = Leaver(item)
        item.use()
      },
      .healthy("exit-in-lazy-property", alive: ["Item": 1]) {
        let page = LazyPage()
        page.item.use()
      },
      .healthy("exit-in-autoclosure", alive: ["Item": 1]) {
        let item = Item()
        evaluate(leaveWithNumber())
        item.use()
      },
      .healthy("exit-in-global-initializer", alive: ["Item": 1]) {
        let item = Item()
        LateGlobal.value.use()
        item.use()
      },
      .healthy("exit-in-extended-lifetime", alive: ["Item": 1]) {
        let item = Item()
        withExtendedLifetime(item) { leave() }
      },
      .healthy("exit-in-sync", alive: ["Item": 1]) {
        let item = Item()
        DispatchQueue(label: "exit").sync {
          leave()
          item.use()
        }
      },
      .healthy("exit-in-task-local", alive: ["Item": 1]) {
        Scoped.$item.withValue(Item()) { leave() }
      },
      .healthy("exit-on-other-thread", alive: ["Item": 2]) {
        let item = Item()
        Thread.detachNewThread {
          let other = Item()
          leave()
          other.use()
        }
        Waiting.forever()
        item.use()
      },
      .healthy("exit-in-task", alive: ["Item": 3]) {
        let item = Item()
        Task {
          let first = Item()
          await Task.yield()
          await leaveLater(Item())
          first.use()
        }
        Waiting.forever()
        item.use()
      },
      .healthy("exit-on-queue", alive: ["Item": 2]) {
        let item = Item()
        let captured = Item()
        DispatchQueue.global().async {
          leave()
          captured.use()
        }
        Waiting.forever()
        item.use()
      },
      .healthy("exit-while-threads-run", alive: ["Item": 5]) {
        for _ in 0..<4 {
          Background.run { ready in
            let item = Item()
            ready.signal()
            while opaque(true) { item.use() }
          }
        }
        let item = Item()
        leave()
        item.use()
      },
      .healthy("exit-in-iterator", alive: ["Item": 1]) {
        let item = Item()
        for number in sequence(first: 1, next: { $0 + item.number + 1 }) where number > 3 {
          leave()
        }
      },
      .healthy("exit-with-cycle-on-stack", alive: ["Item": 2]) {
        let item = Item()
        item.next = Item(next: item)
        leave()
        item.next = nil
      },
      .healthy("exit-in-exit-handler", alive: ["Item": 1]) {
        atexit { globalItem?.use() }
        globalItem = Item()
        descend(0) { leave() }
      },
      .healthy("exit-in-run-loop", alive: ["Item": 2]) {
        let item = Item()
        let timer = Timer(timeInterval: 0.001, repeats: false) { _ in
          let other = Item()
          leave()
          other.use()
        }
        RunLoop.main.add(timer, forMode: .default)
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 1))
        item.use()
      },
    ]
  }
}

/// Ends the program. The optimizer expects that it returns, so that it keeps what is used later.
@inline(never)
private func leave() {
  if opaque(true) { exit(0) }
}

@inline(never)
private func leaveWithNumber() -> Int {
  leave()
  return 1
}

private func leaveLater(_ item: Item) async {
  await Task.yield()
  leave()
  item.use()
}

@inline(never)
private func evaluate(_ number: @autoclosure () -> Int) { precondition(number() > 0) }

@inline(never)
private func descend(_ depth: Int, _ end: () -> Void) {
  if depth == 0 { return end() }
  let item = Item(number: depth)
  descend(depth - 1, end)
  item.use()
}

@inline(never)
private func descendAndExit(_ depth: Int) {
  let item = Item(number: depth)
  if depth == 1 { exit(0) }
  descendAndExit(depth - 1)
  item.use()
}

private final class Leaver {
  private let item: Item

  init(_ item: Item) {
    self.item = item
    Life.begin(self, "Leaver")
  }
  deinit {
    leave()
    Life.end("Leaver")
  }
}

private final class LazyPage {
  lazy var item: Item = {
    let item = Item()
    leave()
    return item
  }()
}

private enum LateGlobal {
  static let value: Item = {
    leave()
    return Item()
  }()
}

private enum Scoped {
  @TaskLocal static var item: Item?
}
