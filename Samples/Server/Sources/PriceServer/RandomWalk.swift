/// An endless sequence of prices that move a little at each tick. The same symbol and seed give the
/// same prices.
struct RandomWalk: Sequence, IteratorProtocol {
  private var price: Price
  private var state: UInt64

  init(symbol: String, seed: UInt64) {
    price = Price(symbol: symbol, tick: 0, cents: 10_000)
    // FNV-1a gives each symbol its own walk.
    state = symbol.utf8.reduce(0xcbf2_9ce4_8422_2325 ^ seed) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
  }

  mutating func next() -> Price? {
    price.tick += 1
    price.cents = Swift.max(1, price.cents + Int(random() % 101) - 50)
    return price
  }

  /// Returns the next number of the generator SplitMix64.
  private mutating func random() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var number = state
    number = (number ^ (number >> 30)) &* 0xbf58_476d_1ce4_e5b9
    number = (number ^ (number >> 27)) &* 0x94d0_49bb_1331_11eb
    return number ^ (number >> 31)
  }
}
