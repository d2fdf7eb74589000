import ReactiveKit
import Synchronization
import TraceFormat

/// One traced subscription. It writes `subscribe` when it is made, then its elements, and exactly
/// one end even if several threads race.
///
/// No record has a later time than the end, although one may follow the end in the file. Freeing a
/// subscription writes nothing. The operator decides when it is `released`.
@usableFromInline
package final class TracedSubscription: Sendable {
  package let id: Int
  package let recorder: Recorder
  let site: TraceSite
  let type: String
  /// The start time in nanoseconds since the start of the log.
  let start: Int
  /// The traced subscription downstream that this one was made for.
  let parent: TracedSubscription?
  let cause: Int?
  let scope: TraceScope?
  let livesUntilExit: Bool
  /// The leak check in which the subscription was made.
  let check: LeakCheck?
  /// The part that all records have after their event: `,"sub":1,"lane":"search.results"`.
  let part: EncodedPart
  let nextLine: ElementLineTemplate
  let hot: RecorderHandle
  private let isOver = Atomic<Bool>(false)

  // Reports use these values. One thread at a time delivers elements; other threads read the
  // values.
  private let elementCount = Atomic<Int>(0)
  private let lastTime = Atomic<Int>(0)
  private let lastText = Guarded<String?>(nil)

  package init(
    recorder: Recorder, id: Int? = nil, site: TraceSite, type: String,
    parent: TracedSubscription? = nil, cause: Int? = nil, scope: TraceScope? = nil,
    lifetimeIsProcess: Bool = false
  ) {
    let time = recorder.clock.now
    let id = id ?? recorder.subscriptions.next()
    self.id = id
    self.recorder = recorder
    hot = RecorderHandle(recorder)
    self.site = site
    self.type = type
    self.parent = parent
    self.cause = cause
    self.scope = scope?.inside(recorder) ?? parent?.scope?.whileOpen
    livesUntilExit = lifetimeIsProcess
    // If it is made for a subscription of another check, it belongs to that check, whatever code
    // makes it.
    check = parent?.check ?? scope?.check
    start = time
    lastTime.store(time, ordering: .relaxed)
    let texts = recorder.options.recordsValues
    // A child process must not touch the locks of its parent's log.
    guard recorder.isOpen, let thread = recorder.enter() else {
      // Its beginning is not in the log, so nothing else about it is written.
      isOver.store(true, ordering: .relaxed)
      var line = LineBuffer()
      defer { line.deallocate() }
      part = line.subscriptionPart(id, site.lane)
      nextLine = ElementLineTemplate(id, site.lane, withValues: texts, &line)
      return
    }
    part = thread.pointee.line.subscriptionPart(id, site.lane)
    nextLine = ElementLineTemplate(id, site.lane, withValues: texts, &thread.pointee.line)
    encodeBeginning(.subscribe, &thread.pointee.line, thread: thread.pointee.number)
    recorder.liveSubscriptions.insert(self)
    // The log may have ended in the meantime and released its subscriptions. This one would be held
    // forever.
    if !recorder.isOpen { recorder.liveSubscriptions.remove(self) }
    check?.note(self)
    recorder.write(thread, at: time)
  }

  deinit {
    nextLine.free()
  }

  private func encodeBeginning(_ event: EncodedEvent, _ line: inout LineBuffer, thread: Int?) {
    line.begin(at: start, event)
    line.part(part)
    if let thread { line.integer(.thread, thread) }
    line.text(.op, site.operator.rawValue)
    if let source = site.source { line.text(.source, source) }
    if let function = site.function { line.text(.function, function) }
    line.text(.type, type)
    if let parent { line.integer(.parent, parent.id) }
    if let cause { line.integer(.cause, cause) }
    if let scope { line.integer(.scope, scope.number) }
    if livesUntilExit { line.text(.lifetime, LogFormat.Lifetime.process.rawValue) }
    if let frames = site.frames { line.text(.frames, frames) }
  }

  /// Repeats in a later file of the log what `subscribe` said in an earlier one.
  func restate(_ line: inout LineBuffer, _ publish: (borrowing LineBuffer) -> Void) {
    encodeBeginning(.alive, &line, thread: nil)
    line.end()
    publish(line)
  }

  package var hasEnded: Bool { isOver.load(ordering: .relaxed) }

  @inline(never)
  func writeElementSlowPath(
    _ thread: UnsafeMutablePointer<ThreadContext>, at time: Int
  ) {
    let shown = thread.pointee.text.shown(within: recorder.options.valueLimit)
    thread.pointee.line.begin(at: time, .next)
    thread.pointee.line.part(part)
    let text = UnsafeBufferPointer(
      start: thread.pointee.text.bytes.assumingMemoryBound(to: UInt8.self), count: shown)
    thread.pointee.line.text(.value, text, of: thread.pointee.text.total)
    thread.pointee.line.integer(.thread, thread.pointee.number)
    recorder.write(thread, at: time)
  }

  func writeSilentElement(at time: Int) {
    guard let thread = recorder.enter() else { return }
    if isQuick, !recorder.options.recordsValues,
      FastElementWriter.writeSilent(nextLine, thread, at: time, hot)
    {
      return Recorder.leave()
    }
    thread.pointee.line.begin(at: time, .next)
    thread.pointee.line.part(part)
    thread.pointee.line.integer(.thread, thread.pointee.number)
    recorder.write(thread, at: time)
  }

  /// The moment at which an observation stops in the debugger.
  enum Moment: String {
    case subscribe, next, completion
  }

  /// Writes that the program is about to enter a debugger.
  func breakpoint(on moment: Moment, _ text: String?) {
    guard recorder.isOpen else { return }
    let time = recorder.clock.now
    guard let thread = recorder.enter() else { return }
    thread.pointee.line.begin(at: time, .breakpoint)
    thread.pointee.line.part(part)
    if let text {
      thread.pointee.line.text(.value, text, limit: recorder.options.valueLimit)
    }
    thread.pointee.line.integer(.thread, thread.pointee.number)
    thread.pointee.line.text(.on, moment.rawValue)
    recorder.write(thread, at: time)
  }

  @usableFromInline
  package func completed() { finish(.completed, error: nil) }

  package func failed(_ errorText: String?) { finish(.failed, error: errorText) }

  /// Writes that the subscription failed. Makes the text of the error only if it is written.
  @usableFromInline
  package func failed(with error: any Error) {
    guard !hasEnded else { return }
    failed(recorder.options.recordsValues ? String(describing: error) : nil)
  }

  @usableFromInline
  package func disposed() { finish(.disposed, error: nil) }

  @usableFromInline
  package func released() { finish(.released, error: nil) }

  private func finish(_ event: EncodedEvent, error: String?) {
    guard !hasEnded, !isOver.exchange(true, ordering: .sequentiallyConsistent) else { return }
    // A child process must not touch the locks of its parent's log.
    guard recorder.isOpen else { return }
    guard let thread = recorder.enter() else { return }
    recorder.liveSubscriptions.remove(self)
    // The time is read after the exchange: an element whose writer saw no end has an earlier time.
    let time = recorder.clock.now
    thread.pointee.line.begin(at: time, event)
    thread.pointee.line.part(part)
    if let error {
      thread.pointee.line.text(.error, error, limit: recorder.options.valueLimit)
    }
    thread.pointee.line.integer(.thread, thread.pointee.number)
    recorder.write(thread, at: time)
  }

  // MARK: Values for reports

  @inline(__always)
  func noteElement(at time: Int) {
    elementCount.store(elementCount.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    lastTime.store(time, ordering: .relaxed)
  }

  func noteElementOfMany(at time: Int) {
    elementCount.wrappingAdd(1, ordering: .relaxed)
    lastTime.store(time, ordering: .relaxed)
  }

  @inline(never)
  func noteText(_ thread: UnsafeMutablePointer<ThreadContext>) {
    let text = thread.pointee.text.string(within: recorder.options.valueLimit)
    lastText.withLock { $0 = text }
  }

  /// The number of elements, the time of the last one, and its text if a leak check requested it.
  var progress: (elements: Int, lastTime: Int, lastText: String?) {
    (
      elementCount.load(ordering: .relaxed), lastTime.load(ordering: .relaxed),
      lastText.withLock { $0 }
    )
  }
}
