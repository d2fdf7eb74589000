/// The rule about lifetimes that subscriptions inherit: a subscription may live until exit if it
/// was made for one that may.
package enum InheritedLifetime {
  /// Returns whether each subscription may live until exit.
  ///
  /// This takes linear time, regardless of the length of the chains. If damaged numbers form a
  /// cycle, all members inherit what one of them declares.
  ///
  /// - Parameters:
  ///   - parent: Returns the index of the subscription that another one was made for.
  ///   - declares: Returns whether a subscription itself is declared to live until exit.
  @inlinable
  package static func marks(
    _ count: Int, parent: (Int) -> Int?, declares: (Int) -> Bool
  ) -> [Bool] {
    var marks = [Bool](repeating: false, count: count)
    var isPassed = [Bool](repeating: false, count: count)
    var chain: [Int] = []
    for start in 0..<count where !isPassed[start] {
      var next: Int? = start
      var lives = false
      while let current = next {
        // A subscription that is already in this chain doesn't add anything.
        lives = lives || marks[current]
        if isPassed[current] { break }
        isPassed[current] = true
        chain.append(current)
        if declares(current) {
          lives = true
          break
        }
        next = parent(current)
      }
      if lives {
        for link in chain { marks[link] = true }
      }
      chain.removeAll(keepingCapacity: true)
    }
    return marks
  }
}
