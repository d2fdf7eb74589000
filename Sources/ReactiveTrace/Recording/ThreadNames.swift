import ReactiveKit
import TraceFormat

/// The names of the threads of one log.
final class ThreadNames: Sendable {
  private let names = Guarded<[(number: Int, name: String)]>([])
  private let main = Guarded(false)

  func note(_ number: Int, _ name: String) {
    names.withLock { $0.append((number, name)) }
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
    for (number, name) in names.withLock({ $0 }) {
      line.begin(at: time, .thread)
      line.integer(.thread, number)
      line.text(.name, name)
      line.end()
      publish(line)
    }
  }
}
