import ReactiveKit

/// The names of the threads of one log.
final class ThreadNames: Sendable {
  private struct State {
    var names: [(number: Int, name: String)] = []
    var isMainKnown = false
  }

  private let state = Locked(State())
  private let main = Locked(false)

  func note(_ number: Int, _ name: String) {
    state.withLock { $0.names.append((number, name)) }
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
    for (number, name) in state.withLock({ $0.names }) {
      line.begin(at: time, EncodedEvent(.thread))
      line.integer(.thread, number)
      line.text(.name, name)
      line.end()
      publish(line)
    }
  }
}
