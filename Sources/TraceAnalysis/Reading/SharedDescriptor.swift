import SystemLibrary
import TraceFormat

/// A descriptor that is closed when nobody reads it any more.
final class SharedDescriptor: Sendable {
  let number: Int32
  /// Whether the bytes came out of a pipe or were compressed: then this is a file without a name.
  let isSpool: Bool
  private let closes: Bool

  init(_ number: Int32, isSpool: Bool = false, closes: Bool = true) {
    self.number = number
    self.isSpool = isSpool
    self.closes = closes
  }

  deinit { if closes { close(number) } }
}
