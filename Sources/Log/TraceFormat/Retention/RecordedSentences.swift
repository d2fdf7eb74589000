/// The facts that are parsed from strings in the logs of an earlier version, which don't have
/// structured facts. Nothing else may depend on the wording of a string.
extension Retention.Sentences {
  /// Creates the steps of a path from its three lists.
  package static func steps(
    path: [String], details: [String], sites: [String]
  ) -> [Retention.Step] {
    path.enumerated().map { index, what in
      let site = index < sites.count ? sites[index] : ""
      let detail = index < details.count ? details[index] : ""
      return Retention.Step(.text(what, detail: detail), site: site.isEmpty ? nil : site)
    }
  }

  /// Returns the subscription of a step whose detail is `#12`, or nil for another detail.
  static func subscription(inDetail detail: String) -> SubscriptionID? {
    guard detail.utf8.first == UInt8(ascii: "#") else { return nil }
    return UInt64(detail.dropFirst()).flatMap { SubscriptionID($0) }
  }
}
