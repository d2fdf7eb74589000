import TraceAnalysis
import TraceFormat
import ViewerConsole

// Replaying a log, and freezing a growing one.
extension Viewer {
  /// Plays from the cursor, or pauses. Freezes or unfreezes a growing log.
  mutating func playOrPause() -> [Effect] {
    if feed.reading.follows {
      guard let (viewed, reading) = feed.toggleFreeze() else { return [] }
      let effects = take(viewed, reading)
      // The arrangement may have changed since.
      return viewed.arrangement == feed.arrangement ? effects : effects + arrange { _ in }
    }
    guard log.duration > .zero else { return refuse("nothing to play") }
    var replay = replay ?? Replay()
    if replay.isPlaying {
      replay.pause()
    } else {
      // At the end, the replay starts again.
      timeline.moveCursor(to: timeline.cursor >= log.duration ? .zero : timeline.cursor)
      timeline.revealCursor()
      replay.play()
    }
    self.replay = replay
    return []
  }

  /// Changes the replay, or starts a paused one first. Returns false for a growing log, which
  /// can't be played.
  private mutating func changeReplay(_ change: (inout Replay) -> Void) -> Bool {
    guard !feed.reading.follows else {
      say("cannot replay a growing log; use trace-viewer replay LOG")
      return false
    }
    var replay = replay ?? Replay()
    change(&replay)
    self.replay = replay
    return true
  }

  mutating func changeSpeed(by step: Int) {
    guard changeReplay({ $0.changeSpeed(by: step) }) else { return }
    say("speed \(replay?.speed.text ?? "")")
  }

  mutating func toggleGaps() {
    guard changeReplay({ $0.toggleGaps() }) else { return }
    let skips = replay?.skipsGaps == true
    say(skips ? "skipping gaps of over a second" : "playing gaps")
  }

  /// Pauses the replay and steps one event forward or back, among all shown events.
  mutating func step(forward: Bool) -> [Effect] {
    guard changeReplay({ $0.pause() }) else { return [] }
    return [find(.step, forward: forward, in: .shown)]
  }

  /// Moves the playhead to the current time.
  mutating func play(to now: UInt64) {
    guard var replay, replay.isPlaying else { return }
    let time = replay.time(after: timeline.cursor, at: now, nextMoment: viewed.nextMoment)
    timeline.moveCursor(to: min(time, log.duration))
    // Records that are still being read are played when they arrive.
    if time >= log.duration, feed.reading.isComplete {
      replay.pause()
      say("end of the log; Space plays it again")
    }
    self.replay = replay
    timeline.followCursor()
  }
}

// Recording what grows while something is done in the traced program.
extension Viewer {
  /// A Boolean value that indicates whether the log is being written.
  private var isWritten: Bool {
    feed.reading.follows && (log.logs.isEmpty || log.logs.contains { $0.end == nil })
  }

  /// Begins a recording of what grows, or ends it and lists what grew. In a log that is not being
  /// written, sets marks instead.
  mutating func record() {
    if feed.isFrozen {
      say("the view is frozen; Space shows the growing log again")
    } else if let recording {
      finish(recording)
    } else if isWritten {
      let start = log.logs.isEmpty ? .zero : log.duration.after(1)
      recording = GrowthRecording(start: start)
      timeline.clearMarks()
      timeline.mark(at: start)
      say("recording; do something in the program, then press r again")
    } else {
      if timeline.marks.between == nil { timeline.mark() }
      if timeline.marks.between != nil { return show(.growth) }
      say("marked; r at another time lists what grew in between")
    }
  }

  private mutating func finish(_ recording: GrowthRecording) {
    guard !log.logs.isEmpty, log.duration >= recording.start else {
      return say("no new records yet; the recording continues, and Esc ends it")
    }
    self.recording = nil
    // A single record is a range of one nanosecond.
    timeline.setMarks(recording.start, max(log.duration, recording.start.after(1)))
    show(.growth)
  }

  mutating func cancelRecording() {
    recording = nil
    timeline.clearMarks()
    say("recording ended without a list")
  }
}
