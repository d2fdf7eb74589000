import SystemLibrary
import TestThreads

/// Cycles that are in use: threads make them, hand them to each other, and break them.
enum ChangingCycles {
  private static let shared = BlockingMutex([Knot?](repeating: nil, count: 64))

  /// Runs until the process is killed.
  static func run() {
    for number in 0..<4 {
      startThread {
        var random = UInt64(number + 1)
        while true {
          random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          let new = Knot.pair()
          let place = Int(random >> 58)
          let old = shared.withLock { knots in
            defer { knots[place] = new }
            return knots[place]
          }
          old?.untie()
        }
      }
    }
    Modes.report("started\n")
    while true { pause() }
  }
}

private final class Knot {
  private var next: Knot?
  private var others: [Knot] = []
  private var action: (() -> Knot)?
  private var value: Any?

  static func pair() -> Knot {
    let (one, other) = (Knot(), Knot())
    (one.next, other.next) = (other, one)
    one.others = [one, other]
    other.action = { one.others.count > 1 ? one : other }
    one.value = other
    return one
  }

  func untie() {
    for knot in [self, next].compactMap(\.self) {
      (knot.next, knot.others, knot.action, knot.value) = (nil, [], nil, nil)
    }
  }
}
