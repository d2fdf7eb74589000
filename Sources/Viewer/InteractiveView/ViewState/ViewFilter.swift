import TraceAnalysis

/// A filter of the viewer: a query, and whether to show only leaks.
struct ViewFilter: Equatable, Sendable {
  var query = Query()
  var leaksOnly = false

  init() {}

  /// Creates a filter from a query, as it was typed.
  init(_ text: String) throws(QueryError) {
    query = try Query(text)
  }

  /// Creates a filter of lanes, as it would be typed.
  init(lanes: [String]) {
    let text = lanes.map { "lane:" + Query.quoted($0) }.joined(separator: " ")
    query = Query(LogFilter(lanes: lanes).query.root, text: text)
  }

  /// The text as it was typed.
  var text: String { query.text }
  var isEmpty: Bool { query.isEmpty && !leaksOnly }
}
