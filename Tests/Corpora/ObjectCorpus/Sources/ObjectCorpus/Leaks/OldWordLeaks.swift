import Foundation

extension ObjectCase {
  /// The address of a leaked object is in memory that belongs to a reachable object, which doesn't
  /// use that part of it.
  static var oldWordLeaks: [ObjectCase] {
    [
      .leak("old-word-in-dictionary", .cycle(["Ghost.friend"], leaked: ["Ghost": 1])) {
        Remains.table[1] = Ghost.retainedByItself()
        Remains.table[1] = nil
      },
      .leak("old-word-in-keys", .cycle(["Ghost.friend"], leaked: ["Ghost": 1])) {
        Remains.keys[Ghost.retainedByItself()] = 1
        _ = Remains.keys.popFirst()
      },
      .leak("old-word-in-set", .cycle(["Ghost.friend"], leaked: ["Ghost": 1])) {
        Remains.set.insert(Ghost.retainedByItself())
        _ = Remains.set.popFirst()
      },
      .leak("old-word-in-array", .cycle(["Ghost.friend"], leaked: ["Ghost": 1])) {
        Remains.list.append(Ghost.retainedByItself())
        Remains.list.removeLast()
      },
      .leak("identifier-in-set", .cycle(["Ghost.friend"], leaked: ["Ghost": 1])) {
        Remains.identifiers.insert(ObjectIdentifier(Ghost.retainedByItself()))
      },
      .leak("identifier-in-field", .cycle(["Ghost.friend"], leaked: ["Ghost": 1])) {
        Remains.sightings.append(Sighting(of: Ghost.retainedByItself()))
      },
      .leak("identifiers-as-keys", .cycle(["Ghost.friend"], leaked: ["Ghost": 1])) {
        Remains.names[ObjectIdentifier(Ghost.retainedByItself())] = "ghost"
      },
      // The stacks of ended threads stay in memory, with the words that the threads left.
      .leak("cycles-of-ended-threads", .cycle(["Ghost.friend"], leaked: ["Ghost": 20])) {
        EndedThreads.run(20) { _ = Ghost.retainedByItself() }
      },
      .leak(
        "generic-cycles-of-ended-threads",
        .cycle(["Crate.item", "Sled.crate"], leaked: ["Crate": 20, "Sled": 20])
      ) {
        EndedThreads.run(20) {
          let sled = Sled()
          sled.crate = Crate(sled)
        }
      },
      .leak(
        "cycles-of-ended-threads-in-any", .cycle(["Sled.load"], leaked: ["Sled": 20])
      ) {
        EndedThreads.run(20) {
          let sled = Sled()
          sled.load = Load(of: sled)
        }
      },
      // The side table of a deallocated object has its address, at which another object is now.
      .leak("old-word-in-side-table", .cycle(["Ghost.friend"], leaked: ["Ghost": 1])) {
        Remains.observe(opaque(Ghost()))
        _ = Ghost.retainedByItself()
      },
      .leak("old-words-in-side-tables", .cycle(["Ghost.friend"], leaked: ["Ghost": 20])) {
        EndedThreads.run(20) {
          Remains.watch(opaque(Ghost()))
          _ = Ghost.retainedByItself()
        }
      },
      // The end of the lock's memory, which the lock doesn't use, still has the address.
      .leak(
        "old-word-after-lock",
        .cycle(["Pipe.valve", "Valve.pipe"], leaked: ["Pipe": 1, "Valve": 1])
      ) {
        let valve = Valve()
        valve.pipe = Pipe(valve)
      },
      .leak(
        "unmanaged-back-pointer",
        .cycle(["Host.guest", "Guest.host"], leaked: ["Guest": 1, "Host": 1])
      ) {
        let host = Host()
        host.guest = Guest(host)
      },
      // The other words lead from leaked objects to the cycle and own nothing.
      .leaks(
        "unmanaged-from-lost-object",
        .cycle(["Host.guest", "Guest.host"], leaked: ["Guest": 1, "Host": 1]),
        .unreachable(["Visitor": 1])
      ) {
        let host = Host()
        host.guest = Guest(host)
        _ = Unmanaged.passRetained(Visitor(host))
      },
    ]
  }
}

/// Threads that have ended. The C library keeps their stacks for later threads.
enum EndedThreads {
  static func run(_ count: Int, _ program: @escaping @Sendable () -> Void) {
    let threads = (0..<count).map { _ in Thread(block: program) }
    for thread in threads { thread.start() }
    while !threads.allSatisfy(\.isFinished) { sched_yield() }
  }
}

private final class Sled {
  var crate: Crate<Sled>?
  var load: Any?

  init() { Life.begin(self, "Sled") }
  deinit { Life.end("Sled") }
}

private final class Crate<Item> {
  let item: Item

  init(_ item: Item) {
    self.item = item
    Life.begin(self, "Crate")
  }
  deinit { Life.end("Crate") }
}

private struct Load {
  let sled: Sled
  let weight: Int

  init(of sled: Sled) { (self.sled, weight) = (sled, 1) }
}

private struct Sighting {
  let weight: Int
  let identifier: ObjectIdentifier

  init(of ghost: Ghost) { (weight, identifier) = (1, ObjectIdentifier(ghost)) }
}

private enum Remains {
  nonisolated(unsafe) static var identifiers: Set<ObjectIdentifier> = []
  nonisolated(unsafe) static var names: [ObjectIdentifier: String] = [:]
  nonisolated(unsafe) static var sightings: [Sighting] = []
  nonisolated(unsafe) static var table: [Int: Ghost] = [:]
  nonisolated(unsafe) static var keys: [Ghost: Int] = [:]
  nonisolated(unsafe) static var set: Set<Ghost> = []
  nonisolated(unsafe) static var list: [Ghost] = []
  nonisolated(unsafe) static var check: (() -> Bool)?

  nonisolated(unsafe) static var checks: [() -> Bool] = []
  private static let lock = NSLock()

  @inline(never)
  static func watch(_ ghost: Ghost) {
    lock.withLock { checks.append { [weak ghost] in ghost == nil } }
  }

  @inline(never)
  static func observe(_ ghost: Ghost) { check = { [weak ghost] in ghost == nil } }
}

private final class Ghost: Hashable {
  private var friend: Ghost?

  init() { Life.begin(self, "Ghost") }
  deinit { Life.end("Ghost") }

  @inline(never)
  static func retainedByItself() -> Ghost {
    let ghost = Ghost()
    ghost.friend = ghost
    return ghost
  }

  static func == (one: Ghost, other: Ghost) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(1) }
}

private final class Host {
  var guest: Guest?

  init() { Life.begin(self, "Host") }
  deinit { Life.end("Host") }
}

private final class Guest {
  private let host: Host
  private let back: Unmanaged<Host>

  init(_ host: Host) {
    self.host = host
    back = .passUnretained(host)
    Life.begin(self, "Guest")
  }
  deinit { Life.end("Guest") }
}

private final class Visitor {
  private let host: Unmanaged<Host>

  init(_ host: Host) {
    self.host = .passUnretained(host)
    Life.begin(self, "Visitor")
  }
  deinit { Life.end("Visitor") }
}

private final class Valve {
  private var lock: UnsafeMutableRawPointer?
  var pipe: Pipe?

  init() {
    lock = Self.reusedMemory(Unmanaged.passUnretained(self).toOpaque())
    Life.begin(self, "Valve")
  }
  deinit {
    free(lock)
    Life.end("Valve")
  }

  /// Returns 48 bytes, which glibc rounds up to 56, with an old word at the end.
  @inline(never)
  private static func reusedMemory(_ word: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let old = opaque(malloc(56))
    old?.storeBytes(of: word, toByteOffset: 48, as: UnsafeMutableRawPointer.self)
    free(opaque(old))
    return malloc(48)
  }
}

private final class Pipe {
  private let valve: Valve

  init(_ valve: Valve) {
    self.valve = valve
    Life.begin(self, "Pipe")
  }
  deinit { Life.end("Pipe") }
}
