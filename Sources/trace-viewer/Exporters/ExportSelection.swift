internal import ReactiveTrace

/// What of logs is exported: subscriptions by lane and scope, and a window of time.
///
/// A subscription that is alive in the window is exported with the whole of its life, and with what happened in the window.
struct ExportSelection {
  let log: LogAnalysis
  let window: TimeWindow
  /// How many subscriptions are exported.
  let count: Int
  private let isIncluded: [Bool]
  /// The places in `log.scopes` that are exported.
  let scopes: [Int]
  private let scopeNames: [ScopeKey: String]

  private struct ScopeKey: Hashable {
    let log: Int
    let number: UInt64
  }

  init(_ log: LogAnalysis, _ arguments: ParsedArguments) throws(UsageError) {
    let window = try TimeWindow.of(arguments, log)
    let lanes = arguments.all(.lane).map { GlobPattern($0) }
    var names: [ScopeKey: String] = [:]
    var chosen: Set<ScopeKey> = []
    var scopes: [Int] = []
    for (index, scope) in log.scopes.enumerated() {
      let key = ScopeKey(log: scope.log, number: scope.number)
      names[key] = scope.name
      if let name = arguments[.scope], !scope.isCalled(name) { continue }
      chosen.insert(key)
      if window.meets(scope.begin, scope.end) { scopes.append(index) }
    }
    if let name = arguments[.scope], chosen.isEmpty {
      throw UsageError(
        .wrongValue, .export,
        "No scope is called '\(name)'"
          + NameList.hint(log.scopes.map { $0.name ?? String($0.number) }, "scope"))
    }
    let asksForScope = arguments.has(.scope)
    var siteMatches: [ObjectIdentifier: Bool] = [:]
    let isIncluded = log.lifecycles.map { lifecycle in
      guard window.meets(lifecycle.start, lifecycle.end) else { return false }
      if asksForScope {
        guard let number = lifecycle.scope,
          chosen.contains(ScopeKey(log: Int(lifecycle.log), number: number))
        else { return false }
      }
      guard !lanes.isEmpty else { return true }
      let site = ObjectIdentifier(lifecycle.site)
      if let known = siteMatches[site] { return known }
      let matches = lanes.contains { $0.matches(lifecycle.site.lane) }
      siteMatches[site] = matches
      return matches
    }
    self.log = log
    self.window = window
    self.isIncluded = isIncluded
    self.scopes = scopes
    scopeNames = names
    count = isIncluded.count { $0 }
  }

  /// Whether a subscription, by its place in `log.lifecycles`, is exported.
  @inline(__always)
  func contains(_ index: Int) -> Bool {
    isIncluded[index]
  }

  /// What the scope that a subscription was made in is called; its number where it has no name.
  func scopeName(of lifecycle: Lifecycle) -> String? {
    lifecycle.scope.map { number in
      scopeNames[ScopeKey(log: Int(lifecycle.log), number: number)] ?? String(number)
    }
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
  /// By its name or by its number.
  fileprivate func isCalled(_ text: String) -> Bool {
    if let name, name.utf8.elementsEqual(text.utf8) { return true }
    return String(number) == text
  }

  /// What to show for it.
  var title: String { name ?? String(number) }
}
