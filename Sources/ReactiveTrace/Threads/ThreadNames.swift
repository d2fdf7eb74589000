import ReactiveKit
import TraceFormat

/// The names of the threads of one log that live.
final class ThreadNames: Sendable {
  private let names = Guarded<[Int: String]>([:])
  private let main = Guarded(false)

  /// See `WarmUp`.
  static func prepare() {
    let names = ThreadNames()
    names.note(0, "")
    names.forget(0, by: .max)
  }

  func note(_ number: Int, _ name: String) {
    names.withLock { $0[number] = name }
  }

  /// Leaves out of further files a thread that is gone, or there would be more of them than a file may have bytes. Waits for
  /// nobody for longer than until `deadline`: in a forked child a thread of the parent's may hold the lock for ever.
  func forget(_ number: Int, by deadline: Int) {
    // Which thread has the number of the main thread depends on who serves the main queue.
    guard number != LogFormat.mainThread else { return }
    _ = names.withLock(until: deadline) { $0[number] = nil }
  }

  /// Has the main thread's name written once, before anybody goes on.
  func introduceMain(_ announce: () -> Void) {
    main.withLock { isKnown in
      if !isKnown { announce() }
      isKnown = true
    }
  }

  /// Says all of it again, for a further file of the log.
  func restate(
    at time: Int, _ line: inout LineBuffer, _ publish: (borrowing LineBuffer) -> Void
  ) {
    for (number, name) in names.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      line.begin(at: time, .thread)
      line.integer(.thread, number)
      line.text(.name, name)
      line.end()
      publish(line)
    }
  }
}
