package import TraceFormat

extension LogAnalysis {
  /// The objects that nothing in their process can reach any more.
  package var leakedObjects: [(index: Int, objects: LeakedObjects)] {
    recordedObjects.filter { $0.objects.scope == nil }
  }

  /// The instances of classes that grew with each repetition of a scope when a record was written.
  var growingInstances: [(index: Int, objects: LeakedObjects)] {
    recordedObjects.filter { $0.objects.scope != nil }
  }

  private var recordedObjects: [(index: Int, objects: LeakedObjects)] {
    guard logs.contains(where: { !$0.objects.isEmpty }) else { return [] }
    return lifecycles.positions { $0.isObject && !$0.livesUntilExit }.compactMap { index in
      leakedObjects(of: index).map { (index, $0) }
    }
  }

  /// Returns the name of a lifecycle and its lane. Leaked objects don't have numbers.
  package func title(of lifecycle: Lifecycle) -> String {
    let lane = lifecycle.site.lane
    guard lifecycle.isObject else { return "\(name(of: lifecycle)) \(lane)" }
    return logs.count < 2 ? lane : "\(lane) of \(logs[Int(lifecycle.log)].title)"
  }

  /// The number of the subscriptions, without leaked objects.
  package var subscriptionCount: Int {
    lifecycles.count - logs.reduce(0) { $0 + $1.objects.count }
  }

  /// Returns the objects that a lifecycle stands for; nil for all subscriptions.
  package func leakedObjects(of index: Int) -> LeakedObjects? {
    let activity = lifecycles.activity(at: index)
    guard activity.isObject else { return nil }
    return logs[Int(activity.log)].objects[lifecycles.origin(at: index).id.number]
  }
}

extension TraceLog {
  /// The number of leaked objects, and their size in bytes.
  package var leaked: (objects: Int, bytes: Int) {
    objects.values.filter { $0.scope == nil }
      .reduce((0, 0)) { ($0.0 + $1.objectCount, $0.1 + $1.bytes) }
  }

  /// The number of subscriptions, without leaked objects.
  package var subscriptionCount: Int { members.count - objects.count }
}
