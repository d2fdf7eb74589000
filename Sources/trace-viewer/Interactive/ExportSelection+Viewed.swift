import TraceAnalysis
import TraceFormat

extension ExportSelection {
  /// Creates a selection from the shown part of a log, or from some of it.
  init(_ viewed: ViewedLog, _ members: ExportMembers) {
    let marked: TimeRange?
    let some: Set<Int>?
    switch members {
    case .shown(let time): (marked, some) = (time, nil)
    case .some(let indices, let time): (marked, some) = (time, Set(indices))
    }
    let times = marked ?? .always
    let shown = viewed.excerpt
    let excerpt = LogExcerpt(
      viewed.log, TimeRange(from: times.start, through: min(times.end, viewed.log.duration))
    ) { index in
      let lifecycle = viewed.log.lifecycles[index]
      return shown.contains(index) && some?.contains(index) ?? true
        && times.overlaps(lifecycle.start, viewed.log.lastMoment(of: lifecycle))
    }
    self.init(excerpt, times)
  }
}
