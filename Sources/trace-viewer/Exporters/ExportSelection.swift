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
    self.log = log
    let window = TimeWindow(
      from: filter.start ?? .zero, until: filter.end ?? Nanoseconds(.max))
    self.window = window
    excerpt = try filter.excerpt(of: log)
    scopes = log.scopes.indices.filter { index in
      let scope = log.scopes[index]
      return window.meets(scope.begin, scope.end ?? log.logs[scope.log].lastTime)
        && (filter.scopes?.contains(NumberInLog(scope)) ?? true)
    }
  }

  /// What a viewer shows, or some of it.
  init(_ viewed: ViewedLog, _ members: ExportMembers) {
    let stretch: TimeStretch?
    let some: Set<Int>?
    switch members {
    case .shown(let time): (stretch, some) = (time, nil)
    case .some(let places, let time): (stretch, some) = (time, Set(places))
    }
    log = viewed.log
    let window = TimeWindow(
      from: stretch?.start ?? .zero, until: stretch?.end ?? Nanoseconds(.max))
    self.window = window
    let shown = viewed.excerpt
    excerpt = LogExcerpt(
      viewed.log, start: window.from, end: min(window.until, viewed.log.duration)
    ) { index in
      let lifecycle = viewed.log.lifecycles[index]
      return shown.contains(index) && some?.contains(index) ?? true
        && window.meets(lifecycle.start, viewed.log.lastMoment(of: lifecycle))
    }
    scopes = log.scopes.indices.filter { index in
      let scope = viewed.log.scopes[index]
      return window.meets(scope.begin, scope.end ?? viewed.log.logs[scope.log].lastTime)
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
