package import TraceFormat

extension LogAnalysis {
  /// The objects that nothing in their process can reach any more.
  package var leakedObjects: [(index: Int, objects: LeakedObjects)] {
    guard logs.contains(where: { !$0.objects.isEmpty }) else { return [] }
    return lifecycles.positions { $0.isObject && !$0.livesUntilExit }.compactMap { index in
      leakedObjects(of: index).map { (index, $0) }
    }
  }

  /// Returns the objects that a lifecycle stands for; nil for all subscriptions.
  package func leakedObjects(of index: Int) -> LeakedObjects? {
    let activity = lifecycles.activity(at: index)
    guard activity.isObject else { return nil }
    return logs[Int(activity.log)].objects[lifecycles.origin(at: index).id.number]
  }
}
