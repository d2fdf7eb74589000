import HeapGraph
import SystemLibrary
import TraceFormat

/// The explanations of why objects of any class are alive.
enum ObjectExplanations {
  /// An explanation, with the classes of the objects on the way.
  struct Explained {
    let retention: Retention
    /// The metadata of the objects that hold each other or the object.
    let holders: Set<UInt>
  }

  /// Explains why objects are alive. An object that was deallocated, or that time didn't suffice
  /// for, doesn't have an explanation.
  ///
  /// - Parameters:
  ///   - limit: The time that the search may take, in nanoseconds.
  ///   - callerHasThem: Whether the code that asks has the objects for certain. Otherwise it only
  ///     has them if their addresses are found there.
  /// - Returns: An explanation or nil for each object.
  static func explain(
    _ objects: [WeakReference], limit: Int, callerHasThem: Bool = false
  ) -> [Retention?] {
    let targets = objects.enumerated().compactMap { SearchedSubscription($1, number: $0) }
    let found = explain(targets, limit: limit, callerHasThem: callerHasThem)
    return objects.indices.map { found[$0]?.retention }
  }

  /// Explains why the instances of classes at some addresses are alive.
  ///
  /// - Parameter instances: The addresses with all bits inverted, and the names of the classes.
  static func explain(
    _ instances: [(hiddenAddress: UInt, type: String)], limit: Int
  ) -> [Explained?] {
    let targets = instances.enumerated().map { index, instance in
      SearchedSubscription(
        id: index, lane: instance.type, unnamedPlace: nil, chain: ~instance.hiddenAddress,
        observer: 0, observerCode: 0, subject: .object, hasEnded: { false })
    }
    let found = explain(targets, limit: limit, callerHasThem: false)
    return instances.indices.map { found[$0] }
  }

  private static func explain(
    _ targets: [SearchedSubscription], limit: Int, callerHasThem: Bool
  ) -> [Int: Explained] {
    guard limit > 0, LeakExplanations.mayBegin, LeakExplanations.hasStack else { return [:] }
    // The rest of the time is reserved for looking up names.
    let deadline = LogClock.monotonic() + limit - limit / 10
    let recorder = Recorder.current
    let subscriptions = (recorder?.liveSubscriptions.all ?? []).map { SearchedSubscription($0) }
    guard
      let explainer = Explainer(subscriptions, callingTask: currentTask, deadline: deadline)
    else {
      var retention = Retention(kind: .unsupported, limit: .platform)
      retention.subject = .object
      return Dictionary(
        uniqueKeysWithValues: targets.map {
          ($0.id, Explained(retention: retention, holders: []))
        })
    }
    let locations = recorder?.locations ?? ObservationLocations()
    var answers = explainer.explain(targets)
    var isComplete = explainer.isInTime
    var describer = PathDescriber(explainer, Array(answers.values), locations)
    let open = targets.filter { answers[$0.id].map(describer.isOnlyOfLibrary) ?? false }
    if !open.isEmpty {
      for target in open { answers[target.id] = nil }
      answers.merge(explainer.explain(open, throughUser: true)) { _, new in new }
      isComplete = explainer.isInTime
      describer = PathDescriber(explainer, Array(answers.values), locations)
    }
    var found: [Int: Explained] = [:]
    for target in targets where !target.hasEnded() {
      let answer = answers[target.id]
      found[target.id] = Explained(
        retention: retention(
          answer, of: target, describer, isComplete: isComplete, callerHasIt: callerHasThem),
        holders: Set(answer?.steps.map(\.object.metadata) ?? []))
    }
    return found
  }

  private static func retention(
    _ answer: Explainer.Answer?, of target: SearchedSubscription, _ describer: PathDescriber,
    isComplete: Bool, callerHasIt: Bool
  ) -> Retention {
    guard var answer, isComplete || !answer.isWeak else {
      var retention = Retention(kind: .none, limit: .time)
      retention.subject = .object
      return retention
    }
    if callerHasIt { answer.isHeldByCaller = true }
    return describer.retention(answer, of: target)
  }

  /// The address of the current task, or 0 if there isn't one.
  private static var currentTask: UInt {
    withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UInt.self) } ?? 0 }
  }
}

extension Explainer.Answer {
  /// A Boolean value that indicates whether a complete search could have a better answer.
  fileprivate var isWeak: Bool {
    switch kind {
    case .cycle: false
    case .path(.nothing), .path(.stack), .path(.caller), .nothing: true
    case .path: false
    }
  }
}

extension SearchedSubscription {
  /// Describes an object. Returns nil if it was deallocated.
  fileprivate init?(_ object: WeakReference, number: Int) {
    guard let inverted = object.invertedAddress else { return nil }
    self.init(
      id: number, lane: object.type, unnamedPlace: nil, chain: ~inverted, observer: 0,
      observerCode: 0, subject: .object, hasEnded: { !object.isAlive })
  }
}
