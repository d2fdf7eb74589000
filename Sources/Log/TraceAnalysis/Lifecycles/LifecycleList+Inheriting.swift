import TraceFormat

extension LifecycleList {
  /// Declares that subscriptions live until exit if they were made for one that does.
  ///
  /// Its record may come later than theirs, or in another file, so this needs the whole log.
  ///
  /// - Parameter table: The indices in this array by the numbers of the subscriptions.
  mutating func inheritLifetimes(_ table: SubscriptionTable) {
    guard indices.contains(where: { activity(at: $0).livesUntilExit }),
      indices.contains(where: { origin(at: $0).parent != .zero })
    else { return }
    let marks = InheritedLifetime.marks(count) { index in
      SubscriptionID(origin(at: index).parent.number).flatMap { table.index(of: $0) }
    } declares: { index in
      activity(at: index).livesUntilExit
    }
    for (index, isMarked) in marks.enumerated() where isMarked { self[index].inheritLifetime() }
  }
}
