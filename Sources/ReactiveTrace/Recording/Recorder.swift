import ReactiveKit
import Synchronization

/// Writes the records of one log: to a file, to sinks, or nowhere, where only what is alive is of interest.
@usableFromInline
package final class Recorder: Sendable {
  package let identity: LogIdentity
  package let options: Trace.Options
  let clock: LogClock
  /// The file of the log, where there is one.
  let writer: LogWriter?
  /// Everything else that takes records, where there is something.
  let sinks: SinkLine?
  /// The numbers of subscriptions and scopes.
  let subscriptions = Counter()
  let scopes = Counter()
  /// The subscriptions that have not ended.
  let registry: Registry
  /// The places of observations that nobody named.
  let places = ObservedPlaces()

  /// Tells the threads of this log from those of another: a thread keeps its number with it.
  let number: Int
  private let isFinished = Atomic<Bool>(false)
  private let threads = Atomic<Int>(LogFormat.mainThread)
  /// The names of the numbers that are known, and whether that of the main thread is among them.
  private let names: ThreadNames
  /// libdispatch's function, held here because a global variable costs a check at each access.
  private let queueLabel = ThreadName.labelOfQueue
  private static let recorders = Counter()

  /// Opens the log and writes its header. Without a path the records go to the sinks alone, or nowhere.
  package init(
    path: String?, sinks: [any LineSink] = [], options: Trace.Options = Trace.Options(),
    identity: LogIdentity = .current(), clock: LogClock = LogClock()
  ) throws(TraceError) {
    self.identity = identity
    self.options = options
    self.clock = clock
    number = Self.recorders.next()
    let (registry, names) = (Registry(), ThreadNames())
    self.registry = registry
    self.names = names
    writer = try Self.writer(path, options, identity, clock, registry, names)
    self.sinks = sinks.isEmpty ? nil : SinkLine(sinks)
    self.sinks?.take(HeaderLine.bytes(identity, segment: 1))
  }

  private static func writer(
    _ path: String?, _ options: Trace.Options, _ identity: LogIdentity, _ clock: LogClock,
    _ registry: Registry, _ names: ThreadNames
  ) throws(TraceError) -> LogWriter? {
    guard let path else { return nil }
    return try LogWriter(
      path: LogPath.resolve(path, identity), size: options.size, clock: clock,
      header: { HeaderLine.bytes(identity, segment: $0) },
      restated: { publish in
        var line = LineBuffer()
        defer { line.deallocate() }
        names.restate(at: clock.now, &line, publish)
        for subscription in registry.all { subscription.restate(&line, publish) }
      })
  }

  /// A recorder that writes nothing and knows what is alive.
  static func watching() -> Recorder {
    // Nothing is opened, so nothing can fail.
    guard let recorder = try? Recorder(path: nil) else {
      preconditionFailure("a recorder without a file failed to open one")
    }
    return recorder
  }

  /// The file that is being written.
  package var path: String? { writer?.path }

  /// Whether records are taken; false for ever once `finish` was called.
  package var isOpen: Bool { !isFinished.load(ordering: .relaxed) }

  /// Writes `end` and closes the file; a second call does nothing.
  package func finish() {
    guard !isFinished.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var records = 0
    var lost = 0
    let time = clock.now
    let places = places.resolved
    writer?.close { account, publish in
      var line = LineBuffer()
      defer { line.deallocate() }
      LastLines.publishLosses(account, at: time, &line, publish)
      records = account.records + (account.untold > 0 ? 1 : 0)
      lost = account.lost
      // Where the disk is full the places keep their numbers for names, and the last line has its room.
      var room = account.room - LastLines.longest
      for place in places {
        place.encode(&line, at: time)
        room -= line.count + 1
        guard room >= 0, publish(line) else { break }
        records += 1
      }
      encodeEnd(&line, at: time, records, lost)
      _ = publish(line)
    }
    if let sinks {
      sinks.finish(places, at: time) { line, count in encodeEnd(&line, at: time, count, 0) }
    }
    registry.removeAll()
  }

  private func encodeEnd(
    _ line: inout LineBuffer, at time: Int, _ records: Int, _ lost: Int
  ) {
    line.begin(at: time, EncodedEvent(.end))
    line.integer(EncodedKey(.records), records)
    line.integer(EncodedKey(.lost), lost)
    line.end()
  }

  /// For a child process, whose parent writes on.
  func abandon() {
    isFinished.store(true, ordering: .sequentiallyConsistent)
    writer?.abandon()
  }

  /// The context of the calling thread, with its number in this log. A thread that serves several queues has a number for
  /// each; the first time, its name is written.
  @inline(__always)
  func thread() -> UnsafeMutablePointer<ThreadContext> {
    let context = ThreadContext.current
    if context.pointee.recorder != number || !isOnKnownQueue(context) {
      introduceSlowPath(context)
    }
    return context
  }

  @inline(__always)
  private func isOnKnownQueue(_ context: UnsafeMutablePointer<ThreadContext>) -> Bool {
    guard let label = ThreadName.label(by: queueLabel) else { return true }
    return context.pointee.queue.matches(label)
  }

  @inline(never)
  private func introduceSlowPath(_ context: UnsafeMutablePointer<ThreadContext>) {
    context.pointee.recorder = number
    context.pointee.queue.remember(ThreadName.label(by: queueLabel))
    let queue = ThreadName.queueLabel
    let known = context.pointee.numbers.first { $0.recorder == number && $0.queue == queue }
    if let known { return use(known.number, context) }
    if ThreadName.isMain {
      use(LogFormat.mainThread, context)
      // Several threads may serve the main queue; the number must not be used before it has its name.
      names.introduceMain { announce(LogFormat.mainThread, as: "main", context) }
    } else {
      let new = threads.wrappingAdd(1, ordering: .relaxed).newValue
      use(new, context)
      announce(new, as: queue ?? ThreadName.threadName ?? "thread \(new)", context)
    }
    if context.pointee.numbers.count == 64 { context.pointee.numbers.removeFirst() }
    context.pointee.numbers.append((number, queue, context.pointee.number))
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
    context.pointee.line.begin(at: time, EncodedEvent(.thread))
    context.pointee.line.integer(.thread, number)
    context.pointee.line.text(.name, name)
    // Handed over to sinks with the record that follows: no code of a user may run here, under a lock.
    put(context, at: time)
  }

  /// Ends the line of `thread` and writes it to wherever lines go.
  func write(_ thread: UnsafeMutablePointer<ThreadContext>, at time: Int) {
    put(thread, at: time)
    sinks?.deliver(thread)
  }

  private func put(_ thread: UnsafeMutablePointer<ThreadContext>, at time: Int) {
    thread.pointee.line.end()
    guard isOpen, thread.pointee.sinkDepth == 0 else { return }
    sinks?.take(thread.pointee.line.finishedBytes)
    writer?.write(thread, at: time)
  }
}
