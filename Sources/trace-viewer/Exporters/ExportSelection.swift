import TerminalUI
import TraceAnalysis
import TraceFormat

/// What of logs is exported: subscriptions by lane and scope, and a window of time.
///
/// A subscription that is alive in the window is exported with the whole of its life, and with what happened in the window.
struct ExportSelection {
  let log: LogAnalysis
  let window: TimeWindow
  /// The places in `log.scopes` that are exported.
  let scopes: [Int]
  private let excerpt: LogExcerpt

  /// How many subscriptions are exported.
  var count: Int { excerpt.members.count }

  /// - Parameter filter: what the command line says, with the names of this log.
  init(_ log: LogAnalysis, _ filter: LogFilter) throws(LogError) {
    let window = TimeWindow(
      from: filter.start ?? .zero, until: filter.end ?? Nanoseconds(.max))
    self.init(try filter.excerpt(of: log), window, scopes: filter.scopes)
  }

  /// - Parameter scopes: those of the log that are exported; nil for all.
  init(_ excerpt: LogExcerpt, _ window: TimeWindow, scopes wanted: Set<NumberInLog>? = nil) {
    let log = excerpt.log
    self.log = log
    self.window = window
    self.excerpt = excerpt
    scopes = log.scopes.indices.filter { index in
      let scope = log.scopes[index]
      return window.meets(scope.begin, scope.end ?? log.logs[scope.log].lastTime)
        && (wanted?.contains(NumberInLog(scope)) ?? true)
    }
  }

  /// Whether a subscription, by its place in `log.lifecycles`, is exported.
  @inline(__always)
  func contains(_ index: Int) -> Bool {
    excerpt.contains(index)
  }

  /// What the scope that a subscription was made in is called; its number where it has no name.
  func scopeName(of lifecycle: Lifecycle) -> String? {
    lifecycle.scope.map { log.scope(of: lifecycle)?.title ?? String($0) }
  }

  /// The marks that are exported.
  var marks: [LogMark] {
    log.marks.filter { window.contains($0.time) }
  }

  /// The place of the subscription whose delivery made another, where both are exported.
  func cause(of index: Int) -> Int? {
    let lifecycle = log.lifecycles[index]
    guard let id = lifecycle.cause, let cause = log.index(of: id, log: Int(lifecycle.log)),
      cause != index, contains(cause), contains(index)
    else { return nil }
    return cause
  }
}

extension LogScope {
  /// What to show for it.
  var title: String { name ?? String(number) }
}
