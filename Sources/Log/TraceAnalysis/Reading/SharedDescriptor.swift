import SystemLibrary
import TraceFormat

/// A descriptor that closes when its last reader is deallocated.
final class SharedDescriptor: Sendable {
  let number: Int32
  /// A Boolean value that indicates whether this is a file without a name, because the bytes came
  /// out of a pipe or were compressed.
  let isSpool: Bool
  private let closes: Bool

  init(_ number: Int32, isSpool: Bool = false, closes: Bool = true) {
    self.number = number
    self.isSpool = isSpool
    self.closes = closes
  }

  deinit { if closes { close(number) } }
}
