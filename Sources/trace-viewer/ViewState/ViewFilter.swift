import TraceAnalysis
import TraceFormat

/// A filter of the viewer, such as `lane:search.* state:active value:swift thread:main dur>1s`.
///
/// A subscription must match each kind of word, and any word of that kind. A word without a kind is
/// searched for in lanes and sources.
struct ViewFilter: Equatable, Sendable {
  /// The text as it was typed.
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
      /// The time that the subscription has lived, in nanoseconds.
      case dur
      case elements
      /// The time of its beginning, in nanoseconds since the beginning of the log.
      case start
    }

    enum Relation: String, CaseIterable, Sendable {
      // The longer ones come first, because they begin with the others.
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
  /// A Boolean value that indicates whether the filter needs to read the elements of the log.
  var needsElements: Bool { !values.isEmpty || !threads.isEmpty }

  /// Reports whether a subscription passes the parts of the filter that do not depend on elements.
  ///
  /// - Parameter leaks: The indices of subscriptions that are or may be leaks.
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
