import CRuntime.OwnProcess
import ReactiveKit
import Synchronization
package import SystemLibrary
package import TraceFormat

/// A recorder that writes the records of one log to a file or to sinks. Without either, it only
/// tracks live subscriptions.
@usableFromInline
package final class Recorder: Sendable {
  package let identity: LogIdentity
  package let options: Trace.Options
  let clock: LogClock
  /// The writer of the log file, if there is one.
  let writer: LogWriter?
  /// The other destinations of records, if there are any.
  let sinks: SinkQueue?
  let facts: RecorderHandle.Facts
  /// The counters for the numbers of subscriptions and scopes.
  let subscriptions = Counter()
  let scopes = Counter()
  /// The subscriptions that haven't ended.
  let liveSubscriptions: LiveSubscriptions
  let movedConnections: MovedConnections
  let latestSources = LatestSources()
  /// The number of the last task that was made before the recording began. Nil if tasks aren't
  /// recorded.
  let firstTask: UInt64?
  /// Something that looks at the program at the end of each scope, or nil.
  let scopeObserver: (any ScopeObserver)?
  /// The scopes of the tests of this process.
  private let tests = Guarded<[RunningTest: TraceScope]>([:])
  /// The locations where signals are observed.
  package let locations: ObservationLocations

  /// The number of records that were lost in signal handlers that interrupted the recorder on their
  /// own thread.
  private let interrupted = Atomic<Int>(0)

  /// Why it isn't known which tasks can continue.
  let taskLimit = Atomic<TaskLimit>(.none)

  /// A number that distinguishes this log from others. A thread stores it with its thread number.
  let number: Int
  private let isFinished = Atomic<Bool>(false)
  /// The thread that explains why subscriptions are alive. It is 0 before that, and `explained`
  /// afterward.
  private let explainer = Atomic<UInt>(0)
  private static let explained = UInt.max
  private let threads = Atomic<Int>(LogFormat.mainThread)
  /// The names of the known thread numbers.
  private let names: ThreadNames
  /// The function of libdispatch, stored here because accessing a global variable costs a check.
  private let queueLabel = ThreadName.labelOfQueue
  private static let recorders = Counter()

  /// Opens the log and writes its header. Without a path, records are only sent to the sinks.
  /// Without a path or sinks, the recorder only tracks live subscriptions.
  package init(
    path: String?, sinks: [any LogSink] = [], options: Trace.Options = Trace.Options(),
    identity: LogIdentity = .current(), clock: LogClock = LogClock(), firstTask: UInt64? = nil,
    scopeObserver: (any ScopeObserver)? = nil
  ) throws(TraceError) {
    self.firstTask = firstTask
    self.scopeObserver = scopeObserver
    self.identity = identity
    self.options = options
    self.clock = clock
    number = Self.recorders.next()
    let (liveSubscriptions, names) = (LiveSubscriptions(), ThreadNames())
    let movedConnections = MovedConnections()
    self.movedConnections = movedConnections
    let locations = ObservationLocations()
    self.liveSubscriptions = liveSubscriptions
    self.names = names
    self.locations = locations
    let path = path.map { LogPath.resolve($0, identity) }
    let stream = try path.flatMap { path throws(TraceError) in try StreamSink(path) }
    writer = try Self.writer(
      stream == nil ? path : nil, options, identity, clock, liveSubscriptions, names, locations)
    if writer != nil || stream != nil || !sinks.isEmpty { MemoryReserve.acquire() }
    let sinks = stream.map { [$0] + sinks } ?? sinks
    self.sinks = sinks.isEmpty ? nil : SinkQueue(sinks)
    facts = RecorderHandle.Facts(
      writer, hasSinks: !sinks.isEmpty, options, clock, liveSubscriptions, movedConnections,
      locations)
    self.sinks?.take(HeaderLine.bytes(identity, segment: 1))
  }

  private static func writer(
    _ path: String?, _ options: Trace.Options, _ identity: LogIdentity, _ clock: LogClock,
    _ liveSubscriptions: LiveSubscriptions, _ names: ThreadNames,
    _ locations: ObservationLocations
  ) throws(TraceError) -> LogWriter? {
    guard let path else { return nil }
    return try LogWriter(
      path: path, run: identity.run, sizeLimit: options.sizeLimit, clock: clock,
      header: { HeaderLine.bytes(identity, segment: $0, replaced: $1) },
      restated: { publish in
        var line = LineBuffer()
        defer { line.deallocate() }
        names.restate(at: clock.now, &line, publish)
        locations.beginFile()
        for subscription in liveSubscriptions.all { subscription.restate(&line, publish) }
      })
  }

  /// The path of the file that is being written, if the recorder has its own file.
  package var path: String? { writer?.path }

  /// A Boolean value that indicates whether observations without a lane are traced too.
  var tracksAll: Bool { options.tracksAllSubscriptions || EnvironmentSettings.tracksAll }

  /// A Boolean value that indicates whether the recorder accepts records. It becomes false when
  /// `finish` is called, and stays false.
  package var isOpen: Bool { !isFinished.load(ordering: .relaxed) }

  /// Writes `end` and closes the file. Waits for other threads until `deadline`. A second call has
  /// no effect.
  ///
  /// At exit, this doesn't free memory, and only allocates memory for locations and sinks.
  package func finish(
    by deadline: Int = LogClock.monotonic() + LogFile.patience, atExit: Bool = false
  ) {
    guard !isFinished.exchange(true, ordering: .acquiringAndReleasing) else { return }
    MemoryReserve.release()
    let time = clock.now
    // A thread that was interrupted while it looked up names of locations can't look them up again.
    let locations = Inside.isInside ? [] : locations.resolved
    let freesMemory = !atExit && !Inside.isInside
    writeEnd(locations, at: time, by: deadline, freesMemory: freesMemory)
    if let sinks {
      let lost = interrupted.load(ordering: .relaxed)
      sinks.finish(locations, at: time, by: deadline) { line, count in
        encodeEnd(&line, at: time, count, lost)
      }
    }
    if freesMemory { liveSubscriptions.removeAll() }
  }

  private func writeEnd(
    _ locations: [ObservationLocations.Resolved], at time: Int, by deadline: Int, freesMemory: Bool
  ) {
    writer?.close(by: deadline, freesMemory: freesMemory) { account, line, publish in
      account.publishLosses(at: time, &line, publish)
      var records = account.records + (account.unreported > 0 ? 1 : 0)
      // If the disk is full, locations keep their numbers as names, and the last line uses reserved
      // space.
      var room = account.room - LogFile.reservedSize
      var isRoom = true
      var left = locations.count
      locations.visitInPlace { location in
        guard isRoom else { return }
        // The names of places come before the calls that led to them.
        let needed = left * ObservationLocations.Resolved.usualSize
        location.encode(&line, at: time, withCalls: room - needed > LogFile.reservedSize)
        left -= 1
        room -= line.count + 1
        isRoom = room >= 0 && publish(line)
        if isRoom { records += 1 }
      }
      encodeEnd(&line, at: time, records, account.lost)
      _ = publish(line)
    }
  }

  private func encodeEnd(
    _ line: inout LineBuffer, at time: Int, _ records: Int, _ lost: Int
  ) {
    line.begin(at: time, .end)
    if let word = taskLimit.load(ordering: .relaxed).word { line.text(.reason, word) }
    line.integer(.records, records)
    line.integer(.lost, lost)
    line.end()
  }

  /// Makes the calling thread explain why subscriptions are alive. Returns false if a thread is
  /// doing or has done that.
  func beginExplaining() -> Bool {
    explainer.compareExchange(
      expected: 0, desired: trace_thread(), ordering: .acquiringAndReleasing
    ).exchanged
  }

  func endExplaining() { explainer.store(Self.explained, ordering: .releasing) }

  /// A Boolean value that indicates whether another thread is explaining why subscriptions are
  /// alive.
  var isExplainedElsewhere: Bool {
    let thread = explainer.load(ordering: .acquiring)
    return thread != 0 && thread != Self.explained && thread != trace_thread()
  }

  /// Stops recording in a child process, because its parent continues to write.
  func abandon() {
    isFinished.store(true, ordering: .sequentiallyConsistent)
    writer?.abandon()
    sinks?.abandon()
  }

  /// Begins a record. Returns the context of the calling thread, with its number in this log. A
  /// thread that serves several queues has a number for each queue. The first time a number is
  /// used, its name is written.
  ///
  /// The caller must call `write` or `leave`. Returns nil in a signal handler that interrupted this
  /// thread inside the recorder. The handler's record counts as lost, because buffers are in use
  /// and locks can be held until the handler returns.
  @inline(__always)
  func enter() -> UnsafeMutablePointer<ThreadContext>? {
    if Inside.isInside { return loseSlowPath() }
    trace_enter()
    let context = ThreadContext.current
    if context.pointee.recorder != number || !isOnKnownQueue(context) {
      introduceSlowPath(context)
    }
    return context
  }

  /// Ends a record that is written.
  @inline(__always)
  static func leave() { trace_leave() }

  @inline(never)
  private func loseSlowPath() -> UnsafeMutablePointer<ThreadContext>? {
    lose()
    return nil
  }

  /// Counts a record that a signal handler couldn't write.
  func lose() {
    interrupted.wrappingAdd(1, ordering: .relaxed)
    writer?.current.countInterrupted()
  }

  @inline(__always)
  private func isOnKnownQueue(_ context: UnsafeMutablePointer<ThreadContext>) -> Bool {
    guard let label = ThreadName.label(by: queueLabel) else { return true }
    return context.pointee.queue.matches(label)
  }

  @inline(never)
  private func introduceSlowPath(_ context: UnsafeMutablePointer<ThreadContext>) {
    // A closed log isn't written, and a child process must not touch the locks of its parent's log.
    guard isOpen else { return }
    context.pointee.recorder = number
    context.pointee.queue.remember(ThreadName.label(by: queueLabel))
    let queue = ThreadName.queueLabel
    let known = context.pointee.numbers.first { $0.recorder == number && $0.queue == queue }
    if let known { return use(known.number, context) }
    if ThreadName.isMain {
      use(LogFormat.mainThread, context)
      // Several threads can serve the main queue. The number must not be used before its name is
      // written.
      names.introduceMain { announce(LogFormat.mainThread, as: "main", context) }
    } else {
      let new = threads.wrappingAdd(1, ordering: .relaxed).newValue
      use(new, context)
      announce(new, as: queue ?? ThreadName.threadName ?? "thread \(new)", context)
    }
    if context.pointee.numbers.count == 64 {
      let oldest = context.pointee.numbers.removeFirst()
      oldest.names.forget(oldest.number, by: LogClock.monotonic() + LogFile.patience)
    }
    context.pointee.numbers.append((number, queue, context.pointee.number, names))
  }

  private func use(_ number: Int, _ context: UnsafeMutablePointer<ThreadContext>) {
    context.pointee.number = number
    let text = Array("\",\"thread\":\(number)}".utf8)
    let words = (text + [UInt8](repeating: 0, count: 24)).withUnsafeBytes { bytes in
      bytes.baseAddress.map { (ByteWord.load($0, at: 0), ByteWord.load($0, at: 8)) } ?? (0, 0)
    }
    context.pointee.ending = (words.0, words.1, text.count)
  }

  private func announce(
    _ number: Int, as name: String, _ context: UnsafeMutablePointer<ThreadContext>
  ) {
    names.note(number, name)
    let time = clock.now
    context.pointee.line.begin(at: time, .thread)
    context.pointee.line.integer(.thread, number)
    context.pointee.line.text(.name, name)
    // Sinks get this line with the next record, because user code must not run here under a lock.
    put(context, at: time)
  }

  /// Ends the line of `thread` and its record, and writes the line to the file and the sinks.
  func write(_ thread: UnsafeMutablePointer<ThreadContext>, at time: Int) {
    put(thread, at: time)
    Self.leave()
    sinks?.deliver(thread)
  }

  /// Ends a record like `write`, but leaves its delivery to sinks to the next record.
  func writeLater(_ thread: UnsafeMutablePointer<ThreadContext>, at time: Int) {
    put(thread, at: time)
    Self.leave()
  }

  private func put(_ thread: UnsafeMutablePointer<ThreadContext>, at time: Int) {
    thread.pointee.line.end()
    guard isOpen, thread.pointee.sinkDepth == 0 else { return }
    sinks?.take(thread.pointee.line.finishedBytes)
    writer?.write(thread.pointee.line, at: time, for: thread.writing)
  }

  // MARK: Marks and scopes

  /// Writes a mark with a name from the user.
  package func mark(_ name: String) {
    let time = clock.now
    guard let thread = enter() else { return }
    thread.pointee.line.begin(at: time, EncodedEvent(.mark))
    thread.pointee.line.text(.name, name)
    write(thread, at: time)
  }

  /// Begins a scope and returns its number.
  package func beginScope(_ name: String, inside outer: Int? = nil) -> Int {
    let scope = scopes.next()
    writeScope(scope, name, inside: outer)
    return scope
  }

  private func writeScope(
    _ scope: Int, _ name: String, inside outer: Int?, test: RunningTest? = nil
  ) {
    let time = clock.now
    guard let thread = enter() else { return }
    thread.pointee.line.begin(at: time, EncodedEvent(.scopeBegin))
    if let source = test?.source { thread.pointee.line.text(.source, source) }
    thread.pointee.line.integer(.scope, scope)
    if let outer { thread.pointee.line.integer(.outer, outer) }
    thread.pointee.line.text(.name, name)
    if test != nil { thread.pointee.line.text(.kind, LogFormat.ScopeKind.test.rawValue) }
    write(thread, at: time)
  }

  /// The scope of the test that runs, or nil if none runs or if tests aren't recorded. It has no
  /// end, because nothing tells when a test ends.
  var testScope: TraceScope? {
    guard options.recordsTests, isOpen, let test = RunningTest.current else { return nil }
    let (scope, isNew) = tests.withLock { tests in
      if let known = tests[test] { return (known, false) }
      let scope = TraceScope(test.name, number: scopes.next(), in: self, outer: nil)
      tests[test] = scope
      return (scope, true)
    }
    // Records aren't written under the lock. Another thread may refer to the scope first.
    if isNew { writeScope(scope.number, test.name, inside: nil, test: test) }
    return scope
  }

  /// Ends a scope.
  ///
  /// - Parameter name: Its name, if that has changed.
  package func endScope(_ scope: Int, name: String? = nil) {
    let time = clock.now
    guard let thread = enter() else { return }
    thread.pointee.line.begin(at: time, EncodedEvent(.scopeEnd))
    thread.pointee.line.integer(.scope, scope)
    if let name { thread.pointee.line.text(.name, name) }
    write(thread, at: time)
  }
}

extension TraceToken {
  init(id: Int, in recorder: Recorder) { self.init(id: id, log: recorder.number) }

  /// Returns the ID if it belongs to this recorder.
  @inline(__always)
  func id(in recorder: Recorder) -> Int? { id(log: recorder.number) }
}
