import TraceAnalysis
import TraceFormat

extension ExportSelection {
  /// Creates a selection from the shown part of a log, or from some of it.
  init(_ viewed: ViewedLog, _ members: ExportMembers) {
    let stretch: TimeStretch?
    let some: Set<Int>?
    switch members {
    case .shown(let time): (stretch, some) = (time, nil)
    case .some(let places, let time): (stretch, some) = (time, Set(places))
    }
    let window = TimeWindow(
      from: stretch?.start ?? .zero, until: stretch?.end ?? Nanoseconds(.max))
    let shown = viewed.excerpt
    let excerpt = LogExcerpt(
      viewed.log, start: window.from, end: min(window.until, viewed.log.duration)
    ) { index in
      let lifecycle = viewed.log.lifecycles[index]
      return shown.contains(index) && some?.contains(index) ?? true
        && window.meets(lifecycle.start, viewed.log.lastMoment(of: lifecycle))
    }
    self.init(excerpt, window)
  }
}
