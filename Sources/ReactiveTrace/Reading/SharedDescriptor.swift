#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// A descriptor that is closed when nobody reads it any more.
final class SharedDescriptor: Sendable {
  let number: Int32
  /// Is true for an unnamed temporary file, which holds bytes that came from a pipe or were compressed.
  let isSpool: Bool
  private let closes: Bool

  init(_ number: Int32, isSpool: Bool = false, closes: Bool = true) {
    self.number = number
    self.isSpool = isSpool
    self.closes = closes
  }

  deinit { if closes { close(number) } }
}
