import ReactiveKit

/// The sources that a thread observes for a traced subscription, as one number.
///
/// Two subscriptions have the same number if they observe the same sources in the same order. What
/// the work of a source observes itself doesn't count.
struct ObservedSources: Equatable {
  private var word: UInt = 0

  /// The number, or nil if no source is known.
  var number: UInt? { word & ~Self.insideBit == 0 ? nil : word & ~Self.insideBit }

  /// The bit that is set while the thread does the work of a source.
  private static let insideBit: UInt = 1 << 63

  /// Notes a source. Until `end` is called with the result, other sources don't count.
  mutating func begin(_ source: SourceIdentity) -> OuterSources {
    guard word & Self.insideBit == 0 else { return OuterSources(word: word) }
    add(source.word)
    let outer = OuterSources(word: word)
    word |= Self.insideBit
    return outer
  }

  mutating func end(_ outer: OuterSources) { word = outer.word }

  /// Begins to note the sources of another subscription. Returns those of the present one.
  mutating func beginSubscription() -> OuterSources {
    defer { word = 0 }
    return OuterSources(word: word)
  }

  /// Ends noting the sources of a subscription, which are also sources of the one before. Returns
  /// them.
  mutating func endSubscription(_ outer: OuterSources) -> ObservedSources {
    let own = self
    word = outer.word
    if let number = own.number, word & Self.insideBit == 0 { add(number) }
    return own
  }

  private mutating func add(_ number: UInt) {
    // The factor is 2^64 divided by the golden ratio, which spreads the bits.
    let spread = number &* 0x9E37_79B9_7F4A_7C15
    word = ((word << 7 | word >> 57) ^ spread ^ spread >> 32) & ~Self.insideBit
    if word == 0 { word = 1 }
  }
}
