import LeakDetection
import ReactiveTrace
import TraceFormat

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

  init(_ leftovers: Trace.Leftovers, _ cycles: [Leak]) {
    let subscriptions = leftovers.subscriptions.map { Self.findings($0) } ?? []
    let tasks = leftovers.tasks.map {
      Finding(kind: .tasks, description: "\($0)", source: $0.source)
    }
    // The cycle of a subscription is one mistake with it.
    let known = Set((subscriptions + tasks).compactMap(\.source))
    let others = cycles.filter { $0.source.map { !known.contains($0) } ?? true }
    findings =
      subscriptions + tasks
      + others.map {
        Finding(
          kind: .cycles,
          description: "\($0)\nIf other tests ran at the same time, one of them may have made it.",
          source: $0.source)
      }
  }

  /// Runs `body`, and returns what it leaves behind.
  static func of<Result>(
    _ kinds: LeakKinds, grace: Duration, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async throws -> (Result, LeakReport) {
    let check = await CycleCheck.begin(isWanted: kinds.contains(.cycles))
    do {
      let (result, leftovers) = try await Trace.leftovers(
        subscriptions: kinds.contains(.subscriptions), tasks: kinds.contains(.tasks), grace: grace,
        body)
      return (result, LeakReport(leftovers, await check.end()))
    } catch {
      check.cancel()
      throw error
    }
  }

  /// Runs a synchronous `body`. Otherwise, this function behaves like the asynchronous one.
  @_disfavoredOverload
  static func of<Result>(
    _ kinds: LeakKinds, grace: Duration, _ body: () throws -> Result
  ) throws -> (Result, LeakReport) {
    let check = CycleCheck(isWanted: kinds.contains(.cycles))
    do {
      let (result, leftovers) = try Trace.leftovers(
        subscriptions: kinds.contains(.subscriptions), tasks: kinds.contains(.tasks), grace: grace,
        body)
      return (result, LeakReport(leftovers, check.finish()))
    } catch {
      check.cancel()
      throw error
    }
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
