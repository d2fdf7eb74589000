import Foundation
import Synchronization

extension ObjectCase {
  /// Threads that still run at the end have the objects.
  static var healthyThreads: [ObjectCase] {
    [
      .healthy("thread-stack", alive: ["Item": 1]) {
        Background.run { ready in
          let item = Item()
          ready.signal()
          Waiting.forever()
          item.use()
        }
      },
      .healthy("thread-capture", alive: ["Item": 1]) {
        let item = Item()
        Background.run { ready in
          ready.signal()
          Waiting.forever()
          item.use()
        }
      },
      .healthy("thread-array-on-stack", alive: ["Item": 20]) {
        Background.run { ready in
          let items = (0..<20).map { Item(number: $0) }
          ready.signal()
          Waiting.forever()
          for item in items { item.use() }
        }
      },
      // The thread never sleeps, so the object may be in a register only.
      .healthy("thread-spins", alive: ["Flag": 1]) {
        Background.run { ready in
          let flag = Flag()
          ready.signal()
          while flag.isRunning.load(ordering: .relaxed) {}
        }
      },
      .healthy("thread-retains-and-releases", alive: ["Item": 2]) {
        Background.run { ready in
          let items = [Item(), Item()]
          ready.signal()
          var current = items[0]
          while opaque(true) {
            current = current === items[0] ? items[1] : items[0]
            current.use()
          }
        }
      },
      .healthy("pthread-argument", alive: ["Item": 1]) {
        Background.start(Item.makeRaw()) { context in
          let context: UnsafeMutableRawPointer? = context
          Background.isReady.signal()
          Waiting.forever()
          if let context { Unmanaged<Item>.fromOpaque(context).release() }
          return nil
        }
        Background.isReady.wait()
      },
      .healthy("pthread-argument-in-memory", alive: ["Item": 1]) {
        let memory = Memory.makeBlock(16)
        memory.storeBytes(of: Item.makeRaw(), toByteOffset: 8, as: UnsafeMutableRawPointer.self)
        Background.start(memory) { memory in
          let memory: UnsafeMutableRawPointer? = memory
          Background.isReady.signal()
          Waiting.forever()
          let item = memory?.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
          if let item { Unmanaged<Item>.fromOpaque(item).release() }
          return nil
        }
        Background.isReady.wait()
      },
      .healthy("thread-specific-main", alive: ["Item": 1]) {
        pthread_setspecific(Background.makeKeys(1)[0], Item.makeRaw())
      },
      // The C library allocates memory for the values of later keys.
      .healthy("thread-specific-many-keys", alive: ["Item": 100]) {
        for key in Background.makeKeys(100) { pthread_setspecific(key, Item.makeRaw()) }
      },
      .healthy("thread-specific-other-thread", alive: ["Item": 100]) {
        let keys = Background.makeKeys(100)
        Background.run { ready in
          Stack.run {
            for key in keys { pthread_setspecific(key, Item.makeRaw()) }
          }
          ready.signal()
          Waiting.forever()
        }
      },
      // These retain themselves until their threads are done with them. Only numbers lead to them.
      .healthy("thread-argument-retains-itself", alive: ["Item": 1]) {
        Background.start(Item.makeSelfRetaining()) { context in
          let context: UnsafeMutableRawPointer? = context
          Background.isReady.signal()
          Waiting.forever()
          if let context { Unmanaged<Item>.fromOpaque(context).takeUnretainedValue().next = nil }
          return nil
        }
        Background.isReady.wait()
      },
      .healthy("thread-specific-retains-itself", alive: ["Item": 2]) {
        let key = Background.makeKeys(1)[0]
        pthread_setspecific(key, Item.makeSelfRetaining())
        Background.run { ready in
          Stack.run { _ = pthread_setspecific(key, Item.makeSelfRetaining()) }
          ready.signal()
          Waiting.forever()
        }
      },
      .healthy("thread-dictionary-main", alive: ["Item": 1]) {
        Thread.current.threadDictionary["item"] = Item()
      },
      .healthy("thread-dictionary", alive: ["Item": 1]) {
        Background.run { ready in
          Stack.run { Thread.current.threadDictionary["item"] = Item() }
          ready.signal()
          Waiting.forever()
        }
      },
      .healthy("thread-waits-for-condition", alive: ["Item": 1]) {
        let condition = NSCondition()
        Background.run { ready in
          let item = Item()
          condition.lock()
          ready.signal()
          while opaque(true) { condition.wait() }
          item.use()
        }
      },
      .healthy("thread-waits-for-semaphore", alive: ["Item": 1]) {
        let semaphore = DispatchSemaphore(value: 0)
        Background.run { ready in
          let item = Item()
          ready.signal()
          semaphore.wait()
          item.use()
        }
      },
      .healthy("thread-reads-pipe", alive: ["Item": 1]) {
        let pipe = Pipe()
        Background.run { ready in
          let item = Item()
          ready.signal()
          _ = try? pipe.fileHandleForReading.read(upToCount: 1)
          item.use()
        }
      },
      .healthy("thread-deep-recursion", alive: ["Item": 200]) {
        Background.run { ready in descend(200, ready) }
      },
      .healthy("thread-in-cycle", alive: ["Item": 2]) {
        Background.run { ready in
          let item = Item()
          item.next = Item(next: item)
          ready.signal()
          Waiting.forever()
          item.next = nil
        }
      },
      .healthy("thread-run-loop", alive: ["Item": 1]) {
        let item = Item()
        Background.run { ready in
          let timer = Timer(timeInterval: 1000, repeats: true) { _ in item.use() }
          RunLoop.current.add(timer, forMode: .default)
          ready.signal()
          RunLoop.current.run()
        }
      },
    ]
  }
}

@inline(never)
private func descend(_ depth: Int, _ ready: DispatchSemaphore) {
  let item = Item(number: depth)
  if depth > 1 {
    descend(depth - 1, ready)
  } else {
    ready.signal()
    Waiting.forever()
  }
  item.use()
}

private final class Flag: Sendable {
  let isRunning = Atomic(true)

  init() { Life.begin(self, "Flag") }
  deinit { Life.end("Flag") }
}
