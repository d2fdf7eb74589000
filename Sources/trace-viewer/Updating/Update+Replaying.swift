import TerminalUI
import TraceAnalysis
import TraceFormat

// Playing a log again, and following one that grows.
extension Viewer {
  /// Whether time has to be told.
  var needsTicks: Bool { replay?.isPlaying ?? false }

  /// Plays from the cursor, or pauses; what grows is frozen, and goes on.
  mutating func playOrPause() -> [Effect] {
    if reading.follows {
      isFrozen.toggle()
      guard !isFrozen, let (viewed, reading) = held else { return [] }
      held = nil
      let effects = show(viewed, reading)
      // It may have been arranged in another way since.
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
      // From the end there is nothing left to play.
      if cursor >= log.duration { cursor = .zero }
      event = nil
      fitsAll = fitsAll && window == TimeStretch.all(of: log)
      window.reveal(cursor)
      replay?.play()
    }
    return []
  }

  /// Says so where a log that grows would have to be played.
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

  /// One event forward or back, of all that is shown, while the replay pauses.
  mutating func step(forward: Bool) -> [Effect] {
    guard !refusesReplay() else { return [] }
    if replay == nil { replay = Replay() }
    replay?.pause()
    return [quest(.step, forward: forward, of: .shown)]
  }

  /// Moves the playhead on.
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
    // What is still being read is played when it is there.
    if cursor >= log.duration, reading.isComplete {
      replay.pause()
      notice = Notice(text: "the end; space plays from the beginning")
    }
    self.replay = replay
    if !window.contains(cursor), !fitsAll { window.start = cursor }
  }

  /// When something happens next in what is shown; nil where nothing does.
  ///
  /// Beginnings, elements and ends count, as far as subscriptions that are alive at the time or begin next have them.
  private func nextMoment(after time: Nanoseconds) -> Nanoseconds? {
    var next: Nanoseconds?
    func consider(_ moment: Nanoseconds?) {
      if let moment, moment > time, next.map({ moment < $0 }) ?? true { next = moment }
    }
    for lane in outline.lanes {
      let begun = Population.count(lane.members) { viewed.spans[$0].start <= time }
      if begun < lane.members.count { consider(log.lifecycles[lane.members[begun]].start) }
      consider(lane.population.nextEnd(after: time))
      for index in lane.members[..<begun] where log.lifecycles[index].isAlive(at: time) {
        consider(snapshot.elements.next(after: time, of: index))
      }
    }
    return next
  }
}
