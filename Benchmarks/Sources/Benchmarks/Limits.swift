import Synchronization

// The cost of the work when it is written by hand: closures that call closures, and the same with
// one mutex, locked once for each event. Each stage is a function that isn't inlined, as with
// stages that are composed at run time.

typealias Next = (Int) -> Void

@inline(never)
func mapping(_ transform: @escaping (Int) -> Int, _ next: @escaping Next) -> Next {
  { next(transform($0)) }
}

@inline(never)
func filtering(_ isIncluded: @escaping (Int) -> Bool, _ next: @escaping Next) -> Next {
  { if isIncluded($0) { next($0) } }
}

@inline(never)
func locking(_ next: @escaping Next) -> Next {
  let lock = MutexBox()
  return { number in lock.mutex.withLock { _ in next(number) } }
}

final class MutexBox: Sendable {
  let mutex = Mutex(0)
}

/// A list of closures that are registered, called and removed.
final class Registry {
  private var observers: [Int: Next] = [:]
  private var lastKey = 0
  private let lock: MutexBox?

  init(isLocked: Bool) {
    lock = isLocked ? MutexBox() : nil
  }

  func add(_ observer: @escaping Next) -> Int {
    exclusively {
      lastKey += 1
      observers[lastKey] = observer
      return lastKey
    }
  }

  func remove(_ key: Int) {
    exclusively { observers[key] = nil }
  }

  private func exclusively<Result>(_ body: () -> Result) -> Result {
    guard let lock else { return body() }
    return lock.mutex.withLock { _ in body() }
  }
}

/// The newest of several inner chains. Earlier ones are canceled.
final class Switch {
  final class Token {
    var isCancelled = false
  }

  private var current: Token?
  private let next: Next

  init(_ next: @escaping Next) {
    self.next = next
  }

  func run(_ inner: (@escaping Next) -> Void) {
    let token = Token()
    current?.isCancelled = true
    current = token
    inner { [next] in if !token.isCancelled { next($0) } }
  }
}

/// The latest numbers of two sources.
final class LatestPair {
  var left: Int?
  var right: Int?
}

/// The last numbers, in a ring.
final class Ring {
  var numbers = [Int](repeating: 0, count: 16)
  var next = 0

  func append(_ number: Int) {
    numbers[next & 15] = number
    next &+= 1
  }
}

final class Variable {
  var number = 0
}
