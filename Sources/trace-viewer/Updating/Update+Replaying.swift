import TerminalUI
import TraceAnalysis
import TraceFormat

// Replaying a log, and following a growing one.
extension Viewer {
  /// A Boolean value that indicates whether the viewer needs ticks of the clock.
  var needsTicks: Bool { replay?.isPlaying ?? false }

  /// Plays from the cursor, or pauses. Freezes or unfreezes a growing log.
  mutating func playOrPause() -> [Effect] {
    if reading.follows {
      isFrozen.toggle()
      guard !isFrozen, let (viewed, reading) = held else { return [] }
      held = nil
      let effects = show(viewed, reading)
      // The arrangement may have changed since.
      return viewed.arrangement == arrangement ? effects : effects + arrange { _ in }
    }
    guard log.duration > .zero else {
      notice = Notice(text: "there is nothing to play")
      return []
    }
    if replay == nil { replay = Replay() }
    if replay?.isPlaying == true {
      replay?.pause()
    } else {
      // At the end, there is nothing left to play.
      if cursor >= log.duration { cursor = .zero }
      event = nil
      fitsAll = fitsAll && window == VisibleRange.all(of: log)
      window.reveal(cursor)
      replay?.play()
    }
    return []
  }

  /// Shows a notice and returns true for a growing log, which cannot be played.
  private mutating func refusesReplay() -> Bool {
    guard reading.follows else { return false }
    notice = Notice(text: "a log that grows is not played; trace-viewer replay LOG does")
    return true
  }

  mutating func changeSpeed(by step: Int) {
    guard !refusesReplay() else { return }
    if replay == nil { replay = Replay() }
    replay?.speed.change(by: step)
    notice = Notice(text: "speed \(replay?.speed.text ?? "")")
  }

  mutating func toggleGaps() {
    guard !refusesReplay() else { return }
    if replay == nil { replay = Replay() }
    replay?.skipsGaps.toggle()
    notice = Notice(
      text: replay?.skipsGaps == true ? "gaps of over a second are skipped" : "gaps are played")
  }

  /// Pauses the replay and steps one event forward or back, among all shown events.
  mutating func step(forward: Bool) -> [Effect] {
    guard !refusesReplay() else { return [] }
    if replay == nil { replay = Replay() }
    replay?.pause()
    return [quest(.step, forward: forward, of: .shown)]
  }

  /// Moves the playhead to the current time.
  mutating func play(to now: UInt64) {
    guard var replay, replay.isPlaying else { return }
    let distance = replay.elapsed(now)
    var time = cursor.after(distance)
    if replay.skipsGaps {
      let longest = UInt64(saturating: Double(Replay.longestGap) * replay.speed.factor)
      if let next = nextMoment(after: cursor), next.since(time).count > max(longest, 1) {
        time = next
      }
    }
    cursor = min(time, log.duration)
    event = nil
    // Records that are still being read are played when they arrive.
    if cursor >= log.duration, reading.isComplete {
      replay.pause()
      notice = Notice(text: "the end; space plays from the beginning")
    }
    self.replay = replay
    if !window.contains(cursor), !fitsAll { window.start = cursor }
  }

  /// Returns the time of the next event in the shown part, or `nil` if there is none.
  ///
  /// Beginnings, elements and ends count, for subscriptions that are alive at the time or begin
  /// next.
  private func nextMoment(after time: Nanoseconds) -> Nanoseconds? {
    var next: Nanoseconds?
    func consider(_ moment: Nanoseconds?) {
      if let moment, moment > time, next.map({ moment < $0 }) ?? true { next = moment }
    }
    for lane in outline.lanes {
      let begun = lane.members.partitionPoint { viewed.spans[$0].start > time }
      if begun < lane.members.count { consider(log.lifecycles[lane.members[begun]].start) }
      consider(lane.population.nextEnd(after: time))
      for index in lane.members[..<begun] where log.lifecycles[index].isAlive(at: time) {
        consider(snapshot.elements.next(after: time, of: index))
      }
    }
    return next
  }
}
