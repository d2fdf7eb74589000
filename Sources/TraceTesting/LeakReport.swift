import ReactiveTrace

/// The leaks that a check has found.
public struct LeakReport: Error, Sendable, CustomStringConvertible {
  /// A leak: one mistake.
  public struct Finding: Sendable, CustomStringConvertible {
    /// The kind of the leak: a set with one member.
    public let kind: LeakKinds
    /// The leak, with what keeps it alive and what to change, on several lines.
    public let description: String
    /// The source location of the mistake, such as `Shop/Cart.swift:31`, or nil if it is unknown.
    public let source: String?
  }

  public let findings: [Finding]

  /// All findings, separated by empty lines.
  public var description: String {
    findings.map(\.description).joined(separator: "\n\n")
  }

  init(_ leftovers: Trace.Leftovers, grace: Duration) {
    let subscriptions = leftovers.subscriptions.map { Self.findings($0) } ?? []
    let tasks = leftovers.tasks.map {
      Finding(kind: .tasks, description: "\($0)", source: $0.source)
    }
    findings = subscriptions + tasks
  }

  private static func findings(_ error: Trace.LeakError) -> [Finding] {
    error.leaks.enumerated().map { index, leak in
      // What isn't about one subscription is a part of the first finding.
      let lines = ["subscription that hasn't ended: \(leak)"] + (index == 0 ? error.remarks : [])
      return Finding(
        kind: .subscriptions, description: lines.joined(separator: "\n"), source: leak.mistake)
    }
  }
}

extension Trace.ActiveSubscription {
  /// The step of a cycle to break, or else the call that observes, or the place of the lane.
  fileprivate var mistake: String? {
    explanation?.breakStep?.source ?? observed?.source ?? site.source
  }
}

extension Trace.Explanation {
  fileprivate var breakStep: Step? { breakIndex.map { steps[$0] } }
}
