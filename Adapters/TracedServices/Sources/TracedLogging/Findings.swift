public import Logging
public import ReactiveTrace

extension Trace {
  /// Logs the subscriptions that haven't ended but should have, and returns them.
  ///
  /// There is one message for each lane and place, with the number of subscriptions, and with what
  /// keeps the first one alive. If tracing is off, nothing is known: the result is nil, and a
  /// notice reports it.
  ///
  /// - Parameters:
  ///   - logger: The logger that gets the messages.
  ///   - level: The level of a message about subscriptions.
  ///   - grace: The time to wait for the subscriptions to end.
  ///   - limit: The time limit for the search for what keeps them alive.
  @discardableResult
  public static func logUndisposed(
    to logger: Logger, level: Logger.Level = .warning, grace: Duration = .zero,
    limit: Duration = .seconds(2)
  ) async -> Undisposed? {
    guard let undisposed = await undisposed(grace: grace, limit: limit) else {
      logger.notice("undisposed subscriptions are unknown, because tracing is off")
      return nil
    }
    undisposed.log(to: logger, level: level)
    return undisposed
  }
}

extension Trace.Undisposed {
  /// Logs one message for each lane and place, or one if all subscriptions have ended.
  public func log(to logger: Logger, level: Logger.Level = .warning) {
    var groups: [Origin: Int] = [:]
    for leak in leaks { groups[Origin(leak), default: 0] += 1 }
    for leak in leaks {
      guard let count = groups.removeValue(forKey: Origin(leak)) else { continue }
      logger.log(level: level, "undisposed subscription", metadata: leak.metadata(count: count))
    }
    if leaks.isEmpty { logger.info("no undisposed subscriptions") }
  }

  private struct Origin: Hashable {
    let lane: String
    let source: String?
    let observed: String?

    init(_ subscription: Trace.ActiveSubscription) {
      lane = subscription.lane
      source = subscription.site.source
      observed = subscription.observed?.source
    }
  }
}

extension Trace.ActiveSubscription {
  /// The facts about the first of some subscriptions.
  fileprivate func metadata(count: Int) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "lane": "\(lane)", "subscription": "\(id)", "count": "\(count)", "elements": "\(elements)",
      "age": "\(age)",
    ]
    metadata["source"] = site.source.map { "\($0)" }
    metadata["observed"] = observed?.source.map { "\($0)" }
    metadata["scope"] = scope.map { "\($0)" }
    if let explanation, !explanation.steps.isEmpty {
      metadata["path"] = .array(explanation.steps.map { "\($0.what)" })
    }
    metadata["holder"] = explanation?.holder.map { "\($0)" }
    metadata["advice"] = explanation?.advice.map { "\($0)" }
    return metadata
  }
}
