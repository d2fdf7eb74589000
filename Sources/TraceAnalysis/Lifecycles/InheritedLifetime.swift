import TraceFormat

extension LifecycleList {
  /// Declares that subscriptions live until exit if they were made for one that does.
  ///
  /// Its record may come later than theirs, or in another file, so this needs the whole log.
  ///
  /// - Parameter table: The indices in this array by the numbers of the subscriptions.
  mutating func inheritLifetimes(_ table: SubscriptionTable) {
    guard contains(where: \.livesUntilExit) else { return }
    // Each subscription is passed once, so this takes linear time however long the chains are. A
    // mark also ends the walk where damaged numbers form a cycle.
    var isPassed = [Bool](repeating: false, count: count)
    var chain: [Int] = []
    for index in indices {
      var next: Int? = index
      while let current = next, !isPassed[current] {
        isPassed[current] = true
        chain.append(current)
        guard !self[current].livesUntilExit else { break }
        next = self[current].parent.flatMap { table.index(of: $0) }
      }
      let last = next ?? chain.last
      if let last, self[last].livesUntilExit {
        for link in chain { self[link].inheritLifetime() }
      }
      chain.removeAll(keepingCapacity: true)
    }
  }
}
