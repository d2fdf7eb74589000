/// An error that explains why a terminal could not be taken over.
package struct TerminalError: Error, Equatable {
  struct Code: Hashable, Sendable {
    let name: String

    /// Another session uses a terminal.
    static let busy = Code(name: "busy")
    /// The descriptor is not a terminal, or the system does not let the program change its
    /// settings.
    static let refused = Code(name: "refused")
    /// The signals of the process can't be watched.
    static let signals = Code(name: "signals")
  }

  let code: Code
  /// The reason from the system, as `errno`.
  let reason: Int32
}
