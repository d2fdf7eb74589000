/// The findings of one place in the source.
package struct Suspects: Sendable {
  package let site: Site
  /// The oldest first.
  package let lifecycles: [Lifecycle]

  /// The findings of a verdict by place, in the order in which places first appear.
  package static func bySite(_ findings: [Finding]) -> [Suspects] {
    var places: [ObjectIdentifier: Int] = [:]
    var groups: [(site: Site, lifecycles: [Lifecycle])] = []
    for finding in findings {
      let site = finding.lifecycle.site
      if let place = places[ObjectIdentifier(site)] {
        groups[place].lifecycles.append(finding.lifecycle)
      } else {
        places[ObjectIdentifier(site)] = groups.count
        groups.append((site, [finding.lifecycle]))
      }
    }
    return groups.map { group in
      Suspects(
        site: group.site,
        lifecycles: group.lifecycles.sorted { ($0.start, $0.id) < ($1.start, $1.id) })
    }
  }
}
