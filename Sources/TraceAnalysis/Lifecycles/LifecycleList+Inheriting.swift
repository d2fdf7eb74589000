import TraceFormat

extension LifecycleList {
  /// Declares that subscriptions live until exit if they were made for one that does.
  ///
  /// Its record may come later than theirs, or in another file, so this needs the whole log.
  ///
  /// - Parameter table: The indices in this array by the numbers of the subscriptions.
  mutating func inheritLifetimes(_ table: SubscriptionTable) {
    guard contains(where: \.livesUntilExit) else { return }
    let marks = InheritedLifetime.marks(count) { index in
      self[index].parent.flatMap { table.index(of: $0) }
    } declares: { index in
      self[index].livesUntilExit
    }
    for (index, isMarked) in marks.enumerated() where isMarked { self[index].inheritLifetime() }
  }
}
