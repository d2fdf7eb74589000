/// The names in a log that a person may type to find something: its lanes, the places where its
/// subscriptions were made or observed, and their files.
package struct LogNames: Sendable {
  /// A name, and the subscriptions that have it.
  package struct Name: Sendable {
    package let text: String
    /// The bytes of the text in lowercase, for comparisons.
    package let folded: [UInt8]
    /// The first subscription with the name, as an index in `LogAnalysis.lifecycles`.
    package let first: Int

    fileprivate init(_ text: String, first: Int) {
      self.text = text
      folded = Array(text.lowercased().utf8)
      self.first = first
    }
  }

  /// The lanes, in the order in which they first appear.
  package private(set) var lanes: [Name] = []
  /// The places such as `Module/File.swift:26`, in the order in which they first appear.
  package private(set) var places: [Name] = []
  /// The source files of the places, sorted.
  package private(set) var files: [String] = []

  package static let empty = LogNames()

  private init() {}

  /// Collects the names of a log, in a time that depends on the number of subscriptions.
  package init(_ log: LogAnalysis) {
    var lanes: Set<String> = []
    var places: Set<String> = []
    var slots = SiteSlots()
    var siteCount = 0
    for trace in log.logs {
      var observed = Array(repeating: false, count: trace.places.count)
      for index in trace.members {
        let origin = log.lifecycles.origin(at: index)
        let site = origin.site.site
        if slots.slot(of: site) == siteCount {
          siteCount += 1
          if lanes.insert(site.lane).inserted { self.lanes.append(Name(site.lane, first: index)) }
          if let source = site.source { add(source, index, &places) }
        }
        let place = Int(origin.observed)
        guard place < observed.count, !observed[place] else { continue }
        observed[place] = true
        if let source = trace.places[place]?.source { add(source, index, &places) }
      }
    }
    files = Set(self.places.compactMap { ObservedPlace(source: $0.text).file }).sorted()
  }

  private mutating func add(_ place: String, _ index: Int, _ known: inout Set<String>) {
    if known.insert(place).inserted { places.append(Name(place, first: index)) }
  }
}
