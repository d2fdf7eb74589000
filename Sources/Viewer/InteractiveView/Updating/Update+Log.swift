import TraceAnalysis
import TraceWords
import ViewerConsole

// Taking new states of the log, and requesting what the shown pane needs from it.
extension Viewer {
  /// Takes a new state of the log or of its arrangement.
  mutating func take(_ new: ViewedLog, _ reading: ReadingState) -> [Effect] {
    note(reading)
    guard feed.accepts(new, over: snapshot) else { return [] }
    // The reason that there is nothing to show is printed after the program exits, where the user
    // can read it at leisure.
    if reading.isComplete, !reading.follows, new.log.logs.isEmpty { return [.quit(.notALog)] }
    if feed.completes() { notice = damage(of: new.log) ?? notice }
    if new.arrangement.filter != viewed.arrangement.filter { search.invalidate() }
    if new.snapshot.restarts != snapshot.restarts {
      search.end()
      notes = []
      (saved.pending, saved.original) = (nil, nil)
      panes.statistics.clear()
      let end = recording == nil ? "" : "; the recording has ended"
      recording = nil
      say("the file now has another log\(end)")
    }
    timeline.show(new, follows: reading.follows)
    panes.forgetLog()
    if sortedOrder == new.arrangement.order {
      sortedOrder = nil
      goToTop()
    }
    search.note(outline)
    offerChoices()
    if viewed.callsForFindings(reading) { panes.suggest(.findings) }
    let effects = restore(reading) ? arrange { _ in } : []
    arrive()
    let files = sources.request(viewed.names.files)
    return files.isEmpty ? effects : effects + [.locate(files)]
  }

  mutating func note(_ reading: ReadingState) {
    if let change = feed.note(reading) { notice = change }
  }

  /// Returns a notice about the first kind of damage in the log.
  private func damage(of log: LogAnalysis) -> Notice? {
    for section in log.sections {
      for kind in Damage.Kind.allCases {
        guard let tally = section.damage[kind] else { continue }
        let name = log.files[section.file].name
        let sentence = LogSentences.damage(kind, tally.count)
        return Notice(text: "\(name):\(tally.firstLine): \(sentence)", isError: true)
      }
    }
    return nil
  }

  /// The events that the visible pane needs, or `nil` if it shows none.
  var neededEvents: EventRequest? {
    layout.pane.isEmpty ? nil : panes.current.events(self)
  }

  /// Adapts the visible pane to the viewer, and requests what it lacks.
  mutating func adaptPane() -> [Effect] {
    guard !layout.pane.isEmpty else { return [] }
    var pane = panes.current
    pane.adapt(to: self)
    panes.replace(pane)
    var effects: [Effect] = []
    if pane.needsStatistics, panes.statistics.request.note(summaryKey) {
      effects.append(.summarize(timeline.marks.between))
    }
    if pane.needsGrowth, recording == nil, let range = growthRange,
      panes.growth.request.note(growthKey)
    {
      effects.append(.findGrowth(range))
    }
    if let needed = pane.events(self), needed != panes.events.request {
      effects.append(.read(needed))
    }
    let place = pane.preview(self)
    if let path = sources.want(place), let place {
      effects.append(.readSource(place, path: path))
    }
    if let needed = pane.hits(self), needed != panes.hits.request {
      effects.append(.readHits(needed))
    }
    return effects
  }
}
