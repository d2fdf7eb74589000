import TraceFormat

/// The place of a mistake: the line where a subscription was observed or, if that is not known, the
/// line of its lane. Without lines, it is what else is known: the lane, its file and its function.
struct MistakePlace: Hashable {
  /// The file and the line; nil if none is known.
  let source: String?
  /// The function of the observation, unless its line is known: optimized code is inlined, so one
  /// line may be part of several functions.
  private let observed: ObservedPlace?
  /// The lane, its file and its function, if they identify the place.
  private let site: [String]

  /// Creates the place of a subscription or of objects.
  ///
  /// - Parameter index: An index in `LogAnalysis.lifecycles`.
  init(of index: Int, in log: LogAnalysis) {
    let lifecycle = log.lifecycles[index]
    let (site, observed) = (lifecycle.site, log.observed(of: lifecycle))
    let hasLine = observed?.line != nil
    self.observed = hasLine ? nil : observed
    // Several classes may have the same line: that of their generic declaration.
    source = hasLine ? observed?.source : site.line == nil || site.op == .object ? nil : site.source
    self.site = source == nil ? [site.lane, site.file ?? "", site.function ?? ""] : []
  }
}
