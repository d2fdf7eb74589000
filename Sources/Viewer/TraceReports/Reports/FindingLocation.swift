import TraceAnalysis
import TraceFormat
import ViewerConsole

/// The line of a file at which every output shows a finding: where the subscription was observed
/// or, if that is not known, where its lane is, or else its first record.
struct FindingLocation: Hashable {
  /// The path of a source file, relative to the root of the repository, or of the log if no source
  /// is known.
  let path: String
  /// The line number, from 1.
  let line: Int
  /// The column, from 1. It is 1 if it isn't known.
  let column: Int

  init(path: String, line: Int?, column: Int? = nil) {
    self.path = path
    // Services do not count lines or columns beyond this.
    self.line = min(max(line ?? 1, 1), 1_000_000_000)
    self.column = min(max(column ?? 1, 1), 1_000_000_000)
  }

  /// Creates the location of a subscription.
  init(of index: Int, in log: LogAnalysis, _ sources: SourceLocator) {
    let lifecycle = log.lifecycles[index]
    if let place = log.observed(of: lifecycle), let file = place.file {
      self.init(path: sources.path(ofSource: file), line: place.line)
    } else if let lane = FindingLocation(ofLane: lifecycle.site, sources) {
      self = lane
    } else {
      self.init(path: sources.path(ofFile: log.files[lifecycle.firstLocation.file].name), line: 1)
    }
  }

  /// Creates the location of a step that keeps a subscription alive; returns nil if it isn't known.
  init?(of step: Retention.Step, _ sources: SourceLocator) {
    guard let site = step.site.map({ ObservedPlace(source: $0) }), let file = site.file else {
      return nil
    }
    self.init(path: sources.path(ofSource: file), line: site.line, column: step.column)
  }

  /// Creates the location of a lane; returns nil if it is not known.
  init?(ofLane site: Site, _ sources: SourceLocator) {
    guard let file = site.file else { return nil }
    self.init(path: sources.path(ofSource: file), line: site.line)
  }
}

extension SourceLocator {
  /// A locator that doesn't search for files, so that they keep the names that the log has.
  static var none: SourceLocator { SourceLocator([], in: "", exists: { _ in false }) }
}

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
