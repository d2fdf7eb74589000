public import Logging
import ReactiveTrace
public import ServiceLifecycle
import TracedLogging

/// A service that reports undisposed subscriptions and ends the trace when its group shuts down.
///
/// Services shut down in reverse order, so this one comes first:
///
///     ServiceGroup(services: [TraceService(logger: logger), server], logger: logger)
///
/// If the group is canceled instead, the service ends the trace without a check.
public struct TraceService: Service {
  private let logger: Logger
  private let grace: Duration
  private let limit: Duration
  private let failsIfUndisposed: Bool

  /// Creates the service.
  ///
  /// - Parameters:
  ///   - logger: The logger for the report.
  ///   - grace: The time to wait for subscriptions to end.
  ///   - limit: The time limit for the search for what keeps them alive.
  ///   - failsIfUndisposed: Whether `run` throws `Trace.Undisposed` if there are such
  ///     subscriptions, and `NotTraced` if tracing is off, so that nothing is known.
  public init(
    logger: Logger, grace: Duration = .milliseconds(500), limit: Duration = .seconds(2),
    failsIfUndisposed: Bool = false
  ) {
    self.logger = logger
    self.grace = grace
    self.limit = limit
    self.failsIfUndisposed = failsIfUndisposed
  }

  /// An error that says that subscriptions couldn't be checked, because tracing is off.
  public struct NotTraced: Error, Sendable, CustomStringConvertible {
    public var description: String {
      "Undisposed subscriptions are unknown, because tracing is off. Set REACTIVE_TRACE."
    }
  }

  public func run() async throws {
    defer { Trace.stop() }
    try await gracefulShutdown()
    let undisposed = await Trace.logUndisposed(to: logger, grace: grace, limit: limit)
    guard failsIfUndisposed else { return }
    guard let undisposed else { throw NotTraced() }
    if !undisposed.leaks.isEmpty { throw undisposed }
  }
}
