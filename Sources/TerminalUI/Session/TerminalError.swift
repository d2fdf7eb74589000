/// Why a terminal could not be taken over.
package struct TerminalError: Error, Equatable {
  struct Code: Hashable, Sendable {
    let name: String

    /// Another session has a terminal.
    static let busy = Code(name: "busy")
    /// The descriptor is no terminal, or the system does not let it be set.
    static let refused = Code(name: "refused")
    /// The signals of the process cannot be watched.
    static let signals = Code(name: "signals")
  }

  let code: Code
  /// What the system says, as `errno`.
  let reason: Int32
}
