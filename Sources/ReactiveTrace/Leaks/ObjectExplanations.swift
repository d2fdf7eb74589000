import HeapGraph
import HostSafety
import TraceFormat

/// The explanations of why objects of any class are alive.
enum ObjectExplanations {
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
    guard limit > 0, LeakExplanations.mayBegin, LeakExplanations.hasStack else {
      return objects.map { _ in nil }
    }
    // The rest of the time is reserved for looking up names.
    let deadline = LogClock.monotonic() + limit - limit / 10
    let recorder = Recorder.current
    let subscriptions = (recorder?.liveSubscriptions.all ?? []).map { SearchedSubscription($0) }
    guard
      let explainer = Explainer(subscriptions, callingTask: currentTask, deadline: deadline)
    else {
      return objects.map { _ in
        var retention = Retention(kind: .unsupported, limit: .platform)
        retention.subject = .object
        return retention
      }
    }
    let targets = objects.enumerated().compactMap { SearchedSubscription($1, number: $0) }
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
    var retentions = [Retention?](repeating: nil, count: objects.count)
    for target in targets where !target.hasEnded() {
      retentions[target.id] = retention(
        answers[target.id], of: target, describer, isComplete: isComplete,
        callerHasIt: callerHasThem)
    }
    return retentions
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
