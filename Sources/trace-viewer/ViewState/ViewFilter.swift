import TraceAnalysis
import TraceFormat

/// What a filter of the viewer lets through: `lane:search.* state:active value:swift thread:main dur>1s`.
///
/// Of one kind any may fit, and each kind must. A word without a kind is looked for in lanes and sources.
struct ViewFilter: Equatable, Sendable {
  /// As it was typed.
  var text = ""
  var lanes: [GlobPattern] = []
  var sources: [GlobPattern] = []
  var scopes: [String] = []
  var threads: [String] = []
  var values: [String] = []
  var states: Set<Lifecycle.State> = []
  var words: [SearchText] = []
  var comparisons: [Comparison] = []
  var leaksOnly = false

  struct Comparison: Equatable, Sendable {
    enum Quantity: String, CaseIterable, Sendable {
      /// How long it has lived, in nanoseconds.
      case dur
      case elements
      /// When it began, in nanoseconds since the beginning of the log.
      case start
    }

    enum Relation: String, CaseIterable, Sendable {
      // The longer ones first: they begin with the others.
      case atMost = "<=", atLeast = ">=", less = "<", more = ">", equal = "="
    }

    let quantity: Quantity
    let relation: Relation
    let value: UInt64

    func holds(_ measured: UInt64) -> Bool {
      switch relation {
      case .less: measured < value
      case .atMost: measured <= value
      case .more: measured > value
      case .atLeast: measured >= value
      case .equal: measured == value
      }
    }
  }

  var isEmpty: Bool { self == ViewFilter(text: text) }
  /// Whether the elements of the log have to be read.
  var needsElements: Bool { !values.isEmpty || !threads.isEmpty }

  /// All that is known of a subscription without reading its elements again.
  ///
  /// - Parameter leaks: places of subscriptions that are leaks, or may be.
  func fits(_ index: Int, in log: LogAnalysis, leaks: Set<Int>) -> Bool {
    let lifecycle = log.lifecycles[index]
    if leaksOnly, !leaks.contains(index) { return false }
    guard states.isEmpty || states.contains(lifecycle.state) else { return false }
    for comparison in comparisons {
      let measured =
        switch comparison.quantity {
        case .dur: log.age(of: lifecycle).count
        case .elements: UInt64(lifecycle.elements)
        case .start: lifecycle.start.count
        }
      guard comparison.holds(measured) else { return false }
    }
    if !scopes.isEmpty {
      let title = log.scope(of: lifecycle)?.title
      guard let title, scopes.contains(where: { GlobPattern($0).matches(title) }) else {
        return false
      }
    }
    return fits(lifecycle.site)
  }

  private func fits(_ site: Site) -> Bool {
    guard lanes.isEmpty || lanes.contains(where: { $0.matches(site.lane) }) else { return false }
    if !sources.isEmpty {
      let names = [site.source, site.file].compactMap { $0 }
      guard names.contains(where: { name in sources.contains { $0.matches(name) } }) else {
        return false
      }
    }
    return words.allSatisfy { $0.isIn(site.lane) || (site.source.map($0.isIn) ?? false) }
  }
}
