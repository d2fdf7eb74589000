import ReactiveKit
import SystemLibrary
import TraceFormat

/// The names of the living threads of one log.
final class ThreadNames: Sendable {
  private let names = Guarded<[Int: String]>([:])
  /// A Boolean value that indicates whether the main thread's name is in the log. The lock is held
  /// while the name is written.
  private let main = BlockingGuarded(false)

  /// Prepares the types that a record needs. See `WarmUp`.
  static func prepare() {
    let names = ThreadNames()
    names.note(0, "")
    names.forget(0, by: .max)
  }

  func note(_ number: Int, _ name: String) {
    names.withLock { $0[number] = name }
  }

  /// Removes a thread that has ended, so that later files of the log don't repeat its name.
  /// Otherwise, the names could fill a whole file. The wait for the lock ends at `deadline`,
  /// because in a forked child, a thread of the parent can hold the lock forever.
  func forget(_ number: Int, by deadline: Int) {
    // Different threads can serve the main queue under the main thread's number, so its name stays.
    guard number != LogFormat.mainThread else { return }
    _ = names.withLock(until: deadline) { $0[number] = nil }
  }

  /// Writes the main thread's name once, before any caller continues.
  func introduceMain(_ announce: () -> Void) {
    main.withLock { isKnown in
      if !isKnown { announce() }
      isKnown = true
    }
  }

  /// Repeats all names in a later file of the log.
  func restate(
    at time: Int, _ line: inout LineBuffer, _ publish: (borrowing LineBuffer) -> Void
  ) {
    let names = names.withLock { $0 }
    for number in names.keys.sorted() {
      line.begin(at: time, .thread)
      line.integer(.thread, number)
      line.text(.name, names[number] ?? "")
      line.end()
      publish(line)
    }
  }
}
