import TraceAnalysis
import TraceFormat
import ViewerConsole

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
      notice = Notice(text: "the view is frozen; Space shows the growing log again")
    } else if let recording {
      finish(recording)
    } else if isWritten {
      let start = log.logs.isEmpty ? .zero : log.duration.after(1)
      recording = GrowthRecording(start: start)
      timeline.clearMarks()
      timeline.mark(at: start)
      notice = Notice(text: "recording; do something in the program, then press r again")
    } else {
      if timeline.marks.between == nil { timeline.mark() }
      if timeline.marks.between != nil { return show(.growth) }
      notice = Notice(text: "marked; r at another time lists what grew in between")
    }
  }

  private mutating func finish(_ recording: GrowthRecording) {
    guard !log.logs.isEmpty, log.duration >= recording.start else {
      notice = Notice(text: "no new records yet; the recording continues, and Esc ends it")
      return
    }
    self.recording = nil
    // A single record is a range of one nanosecond.
    timeline.setMarks(recording.start, max(log.duration, recording.start.after(1)))
    show(.growth)
  }

  mutating func cancelRecording() {
    recording = nil
    timeline.clearMarks()
    notice = Notice(text: "recording ended without a list")
  }
}
