/// The places of subscriptions that were seen: where they were made, and where they were observed.
/// A million subscriptions share a few places.
package struct DistinctPlaces {
  private struct Place: Hashable {
    let site: ObjectIdentifier
    let log: Int32
    let observed: UInt32
  }

  private let log: LogAnalysis
  private var known: Set<Place> = []

  package init(_ log: LogAnalysis) { self.log = log }

  /// Adds the place of a subscription, and returns whether it is the first one there.
  ///
  /// - Parameter index: An index in `LogAnalysis.lifecycles`.
  package mutating func insert(_ index: Int) -> Bool {
    let origin = log.lifecycles.origin(at: index)
    let place = Place(
      site: ObjectIdentifier(origin.site.site), log: log.lifecycles.activity(at: index).log,
      observed: origin.observed)
    return known.insert(place).inserted
  }
}
