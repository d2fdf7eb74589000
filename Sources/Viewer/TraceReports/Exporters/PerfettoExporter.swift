import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords

/// An exporter for Perfetto's own format, which ui.perfetto.dev and `trace_processor` read.
///
/// Each log is a process, and each subscription in it has a track. The tracks of one lane share a
/// name, so that Perfetto shows them as one. A track has a slice from the beginning to the end of
/// the subscription and an instant for each element. Arrows lead from the cause of a subscription
/// to its beginning. Each log is a sequence of packets with its own interned names.
struct PerfettoExporter: Exporter, ExportVisitor {
  static let isBinary = true

  private let selection: ExportSelection
  private let tracks: PerfettoTracks
  private let output: Output
  private var writer: PerfettoWriter
  private var flows: CauseFlows?
  /// The lanes that tasks wait for. An arrow goes from the subscription to the wait.
  private let awaited: AwaitedLanes
  /// The parts of each subscription that are already written.
  private var progress: [Progress]

  private struct Progress: OptionSet {
    let rawValue: UInt8
    static let track = Progress(rawValue: 1)
    static let beginning = Progress(rawValue: 2)
    static let end = Progress(rawValue: 4)
  }

  init(_ selection: ExportSelection, _ output: Output) {
    self.selection = selection
    self.output = output
    tracks = PerfettoTracks(selection.log)
    awaited = AwaitedLanes(selection.log, WaitGraph(selection.log))
    writer = PerfettoWriter(selection.log, output)
    progress = Array(repeating: [], count: selection.log.lifecycles.count)
  }

  mutating func export() throws(LogError) {
    flows = try CauseFlows(selection)
    for log in selection.log.logs.indices {
      let tracks = tracks
      writer.begin(log) { tracks.writeProcess(log, to: &$0) }
    }
    for mark in selection.marks {
      writer.event(mark.log, mark.time, PerfettoValue.instant, tracks.process(mark.log)) {
        $0.category("mark")
        $0.name(mark.name)
      }
    }
    for index in selection.scopes { writeScope(index) }
    try selection.walk(&self)
    for index in progress.indices
    where progress[index].contains(.beginning) && !progress[index].contains(.end) {
      writeWaits(index)
      writeFindings(index)
    }
    writer.flush()
  }

  mutating func take(_ record: ExportRecord) {
    guard output.failure == nil else { return }
    if case .lost(let count, let reason) = record.body, record.isInWindow {
      writer.event(record.log, record.time, PerfettoValue.instant, tracks.process(record.log)) {
        $0.category("lost")
        $0.name(PerfettoNames.Event.lost)
        $0.annotate(.count, count)
        if let reason { $0.annotate(.reason, reason.string) }
      }
    }
    guard let index = record.index else { return }
    if !progress[index].contains(.track) { writeTrack(index) }
    switch record.body {
    case .subscribe(let it), .alive(let it): writeBeginning(index, thread: it.thread)
    case .object: writeBeginning(index, thread: nil)
    case .next(let it): if record.isInWindow { writeInstant(.next, index, it, record) }
    case .breakpoint(let it): if record.isInWindow { writeInstant(.breakpoint, index, it, record) }
    case .completed(let it): writeEnd(.completed, index, it, record.time)
    case .failed(let it): writeEnd(.failed, index, it, record.time)
    case .disposed(let it): writeEnd(.disposed, index, it, record.time)
    case .released(let it): writeEnd(.released, index, it, record.time)
    default: break
    }
  }

  private mutating func writeScope(_ index: Int) {
    let scope = selection.log.scopes[index]
    let track = tracks.scope(index)
    let tracks = tracks
    writer.packet(scope.log) { tracks.writeScope(index, to: &$0) }
    writer.event(scope.log, scope.begin ?? .zero, PerfettoValue.sliceBegin, track) {
      $0.category("scope")
      $0.name(scope.title)
      $0.annotate(.scope, scope.number)
    }
    if let end = scope.end { writer.event(scope.log, end, PerfettoValue.sliceEnd, track) { _ in } }
  }

  private mutating func writeTrack(_ index: Int) {
    progress[index].insert(.track)
    let lifecycle = selection.log.lifecycles[index]
    let tracks = tracks
    writer.packet(Int(lifecycle.log)) { tracks.writeSubscription(index, to: &$0) }
    // No later record will report the beginning.
    if !lifecycle.hasBeginning { writeBeginning(index, thread: nil) }
  }

  private mutating func writeBeginning(_ index: Int, thread: UInt64?) {
    guard !progress[index].contains(.beginning) else { return }
    progress[index].insert(.beginning)
    let lifecycle = selection.log.lifecycles[index]
    let scope = selection.scopeName(of: lifecycle)
    let arrows =
      (flows?.effects(ofBeginning: index) ?? []).map { tracks.subscription($0) }
      + awaited.tasks(of: index).filter {
        selection.contains($0) && awaitedSubscription(of: $0) == index
      }
      .map { tracks.wait($0) }
    let track = tracks.subscription(index)
    let hasArrow = flows?.hasSource(index) ?? false
    let findings = define(selection.findings.findings(of: index), Int(lifecycle.log))
    writer.event(
      Int(lifecycle.log), lifecycle.start, PerfettoValue.sliceBegin, track, site: lifecycle.site,
      thread: thread
    ) {
      $0.annotate(.subscription, lifecycle.id.number)
      if let type = lifecycle.site.type { $0.annotate(.type, type) }
      if let parent = lifecycle.parent { $0.annotate(.parent, parent.number) }
      if let cause = lifecycle.cause { $0.annotate(.cause, cause.number) }
      if let scope { $0.annotate(.scope, scope) }
      if lifecycle.livesUntilExit {
        $0.annotate(.lifetime, LogFormat.Lifetime.process.rawValue)
      }
      $0.annotate(findings)
      for arrow in arrows { $0.beginFlow(arrow) }
      if hasArrow { $0.endFlow(track) }
    }
  }

  private mutating func writeInstant(
    _ name: PerfettoNames.Event, _ index: Int, _ moment: TraceRecord.Moment,
    _ record: ExportRecord
  ) {
    let arrows = (flows?.effects(of: record) ?? []).map { tracks.subscription($0) }
    writer.event(
      record.log, record.time, PerfettoValue.instant, tracks.subscription(index),
      thread: moment.thread
    ) {
      $0.name(name)
      if let text = moment.text { $0.annotate(.value, text.string) }
      if let bytes = moment.truncated { $0.annotate(.truncated, bytes) }
      $0.annotate(.subscription, moment.id.number)
      for arrow in arrows { $0.beginFlow(arrow) }
    }
  }

  /// Returns the subscription for whose next element a task waits, if it is known.
  private func awaitedSubscription(of task: Int) -> Int? {
    let subscriptions = awaited.subscriptions(of: task)
    return subscriptions.count == 1 ? subscriptions.first : nil
  }

  /// Writes the waits of a task as slices in its slice.
  private mutating func writeWaits(_ index: Int) {
    let log = Int(selection.log.lifecycles[index].log)
    let track = tracks.subscription(index)
    let arrow = tracks.wait(index)
    let hasLane = awaitedSubscription(of: index).map { progress[$0].contains(.beginning) } ?? false
    for wait in selection.waits(of: index) {
      writer.event(log, wait.start, PerfettoValue.sliceBegin, track) {
        $0.category("wait")
        $0.name(PerfettoNames.Event(wait.wait))
        if wait.end == nil, hasLane { $0.endFlow(arrow) }
      }
      if let end = wait.end { writer.event(log, end, PerfettoValue.sliceEnd, track) { _ in } }
    }
  }

  /// Defines the texts of findings in the sequence of a log.
  private mutating func define(_ findings: [ExportedFinding], _ log: Int) -> [PerfettoFinding] {
    findings.map { writer.define($0, log) }
  }

  /// Writes an instant for each finding whose first subscription this is.
  private mutating func writeFindings(_ index: Int) {
    let log = Int(selection.log.lifecycles[index].log)
    let time = selection.timeOfFinding(index)
    for finding in define(selection.findings.events(of: index), log) {
      writer.event(log, time, PerfettoValue.instant, tracks.subscription(index)) {
        $0.category("finding")
        $0.name(finding.finding.head.name)
        $0.annotate(finding)
      }
    }
  }

  private mutating func writeEnd(
    _ state: Lifecycle.State, _ index: Int, _ moment: TraceRecord.Moment, _ time: Nanoseconds
  ) {
    let lifecycle = selection.log.lifecycles[index]
    // A subscription ends only once, at the end that the analysis chose.
    guard lifecycle.state == state, lifecycle.end == time, !progress[index].contains(.end) else {
      return
    }
    // A subscription that begins and ends at the same time becomes one slice only in this order.
    writeBeginning(index, thread: nil)
    progress[index].insert(.end)
    writeWaits(index)
    writeFindings(index)
    writer.event(
      Int(lifecycle.log), time, PerfettoValue.sliceEnd, tracks.subscription(index),
      thread: moment.thread
    ) {
      $0.annotate(.end, state.name)
      if let error = moment.text { $0.annotate(.error, error.string) }
    }
  }
}

/// The tracks of logs. Each track has a unique number, which is the same for every export of the
/// same logs.
private struct PerfettoTracks {
  private let log: LogAnalysis
  private let numbers: ProcessNumbers

  init(_ log: LogAnalysis) {
    self.log = log
    numbers = ProcessNumbers(log)
  }

  // Small numbers take fewer bytes, and every event contains the number of its track. 0 is not a
  // track.
  func process(_ log: Int) -> UInt64 { UInt64(log + 1) }
  func scope(_ index: Int) -> UInt64 { UInt64(log.logs.count + index + 1) }
  func subscription(_ index: Int) -> UInt64 {
    UInt64(log.logs.count + log.scopes.count + index + 1)
  }
  /// The number of the arrow to the last wait of a task.
  func wait(_ task: Int) -> UInt64 { subscription(log.lifecycles.count + task) }

  func writeProcess(_ number: Int, to packet: inout ProtobufWriter) {
    packet.message(PerfettoField.Packet.trackDescriptor) {
      $0.varint(PerfettoField.Track.uuid, process(number))
      $0.message(PerfettoField.Track.process) {
        let header = log.logs[number].header
        $0.varint(PerfettoField.Process.pid, UInt64(numbers[number]))
        $0.string(
          PerfettoField.Process.name, header?.process ?? log.logs[number].names.first ?? "?")
        if let host = header?.host { $0.string(PerfettoField.Process.labels, host) }
      }
      $0.varint(PerfettoField.Track.childOrdering, PerfettoValue.chronological)
    }
  }

  func writeScope(_ index: Int, to packet: inout ProtobufWriter) {
    write(scope(index), "scopes", log.scopes[index].log, to: &packet)
  }

  func writeSubscription(_ index: Int, to packet: inout ProtobufWriter) {
    let lifecycle = log.lifecycles[index]
    write(subscription(index), lifecycle.site.lane, Int(lifecycle.log), to: &packet)
  }

  /// Writes the descriptor of a track. Perfetto shows the tracks of one process with the same name
  /// as one, with overlapping slices below each other.
  private func write(_ uuid: UInt64, _ name: String, _ log: Int, to packet: inout ProtobufWriter) {
    packet.message(PerfettoField.Packet.trackDescriptor) {
      $0.varint(PerfettoField.Track.uuid, uuid)
      $0.varint(PerfettoField.Track.parentUUID, process(log))
      $0.string(PerfettoField.Track.name, name)
      $0.varint(PerfettoField.Track.siblingMergeBehavior, PerfettoValue.mergeByName)
    }
  }
}

/// A process number for each log: its pid, unless the pid is unknown or another log has it. Other
/// programs would merge two logs with the same number into one process.
struct ProcessNumbers {
  private let numbers: [Int32]

  subscript(log: Int) -> Int32 { numbers[log] }

  init(_ log: LogAnalysis) {
    let pids = log.logs.map { $0.header?.pid.flatMap { Int32(exactly: $0) } }
    var taken: Set<Int32> = [0]
    var free: Int32 = 1
    let known = Set(pids.compactMap(\.self))
    numbers = pids.map { pid in
      if let pid, taken.insert(pid).inserted { return pid }
      while known.contains(free) || !taken.insert(free).inserted { free += 1 }
      return free
    }
  }
}
