import TraceAnalysis
import TraceFormat
import ViewerConsole

/// The line to edit: that of the step to break or, if that isn't known, of the code that began what
/// is still alive.
struct EditLocation {
  let location: FindingLocation
  /// The line of the source; nil if the file wasn't found.
  let excerpt: SourceExcerpt?

  /// Creates the place of a finding; returns nil if only its record in the log is known.
  init?(of finding: Finding, in log: LogAnalysis, _ sources: SourceLocator) {
    let lifecycle = log.lifecycles[finding.lifecycle]
    let step = finding.retention.flatMap { retention in
      retention.breakStep
        ?? retention.steps.first { if case .task = $0.kind { true } else { false } }
    }
    let places: [ObservedPlace?] = [
      step?.site.map { ObservedPlace(source: $0) }, log.observed(of: lifecycle),
      lifecycle.site.source.map { ObservedPlace(source: $0) },
    ]
    guard let place = places.lazy.compactMap(\.self).first(where: { $0.file != nil }),
      let file = place.file
    else { return nil }
    let column = step?.site == place.source ? step?.column : nil
    let path = sources.path(ofSource: file)
    location = FindingLocation(path: path, line: place.line, column: column)
    excerpt = sources.absolutePath(ofSource: file).flatMap {
      SourceExcerpt(reading: $0, path: path, line: place.line ?? 0, column: column ?? 1)
    }
  }

  /// Returns the source files that a finding names.
  static func files(of finding: Finding, in log: LogAnalysis) -> Set<String> {
    let lifecycle = log.lifecycles[finding.lifecycle]
    let sites = finding.retention?.steps.compactMap(\.site) ?? []
    return Set(
      ([lifecycle.site.file, log.observed(of: lifecycle)?.file]
        + sites.map { ObservedPlace(source: $0).file }).compactMap(\.self))
  }
}
