import HeapGraph
import SystemLibrary
import TraceFormat

/// The searches for why subscriptions and objects are alive.
enum CauseSearch {
  /// Returns the functions that begin at the given addresses.
  typealias FunctionNames = ([UInt]) -> [UInt: CodeFunction]

  /// Explains why subscriptions are alive, as `CauseSearching` describes it.
  static func explain(
    _ wanted: [SearchedSubscription], among live: [SearchedSubscription], frame: UInt,
    by deadline: Int, _ functions: FunctionNames
  ) -> [Int: Retention]? {
    guard let explainer = Explainer(live, frame: frame, deadline: deadline) else { return nil }
    let (answers, describer, _) = explainer.explain(wanted, functions)
    var explanations: [Int: Retention] = [:]
    for subscription in wanted where !subscription.hasEnded() {
      guard let answer = answers[subscription.id] else { continue }
      explanations[subscription.id] =
        describer.retention(answer, of: subscription).withoutEmptyPath
    }
    return explanations
  }

  /// Explains why objects are alive, as `CauseSearching` describes it.
  static func explainObjects(
    _ targets: [SearchedSubscription], among live: [SearchedSubscription], callerHasThem: Bool,
    frame: UInt, by deadline: Int, _ functions: FunctionNames
  ) -> [Int: ObjectExplanation]? {
    guard
      let explainer = Explainer(
        live, callingTask: currentTask, frame: frame, deadline: deadline)
    else { return nil }
    let (answers, describer, isComplete) = explainer.explain(targets, functions)
    var found: [Int: ObjectExplanation] = [:]
    for target in targets where !target.hasEnded() {
      let answer = answers[target.id]
      found[target.id] = ObjectExplanation(
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
      return Retention(kind: .none, limit: .time, subject: .object)
    }
    if callerHasIt { answer.isHeldByCaller = true }
    return describer.retention(answer, of: target)
  }

  /// The address of the current task, or 0 if there isn't one.
  private static var currentTask: UInt {
    withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UInt.self) } ?? 0 }
  }
}

extension Explainer {
  /// Explains some of the subscriptions, and again those whose cycle has only objects of the
  /// library. Also returns whether there was time for all of them.
  fileprivate func explain(
    _ wanted: [SearchedSubscription], _ functions: CauseSearch.FunctionNames
  ) -> (answers: [Int: Answer], describer: PathDescriber, isComplete: Bool) {
    var answers = explain(wanted)
    var isComplete = isInTime
    var describer = PathDescriber(self, Array(answers.values), functions)
    let open = wanted.filter { answers[$0.id].map(describer.isOnlyOfLibrary) ?? false }
    if !open.isEmpty {
      for subscription in open { answers[subscription.id] = nil }
      answers.merge(explain(open, throughUser: true)) { _, new in new }
      isComplete = isInTime
      describer = PathDescriber(self, Array(answers.values), functions)
    }
    return (answers, describer, isComplete)
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

extension Retention {
  /// This retention, or one without a holder if the subscription is the only step of the path.
  fileprivate var withoutEmptyPath: Retention {
    guard kind == .path, steps.count < 2 else { return self }
    return Retention(kind: .none, owner: owner, limit: limit)
  }
}
