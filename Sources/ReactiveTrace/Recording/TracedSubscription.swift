public import ReactiveKit
import Synchronization
import SystemLibrary
package import TraceFormat

/// One traced subscription. It writes `subscribe` when it is made, then its elements, and exactly
/// one end even if several threads race.
///
/// No record has a later time than the end, although one may follow the end in the file.
/// Deallocating a subscription doesn't write anything. The operator decides when it is `released`.
@usableFromInline
package final class TracedSubscription: Sendable {
  package let id: Int
  package let recorder: Recorder
  let site: SharedSite
  /// The start time in nanoseconds since the start of the log.
  let start: Int
  /// The traced subscription downstream that this one was made for.
  private let firstParent: TracedSubscription?
  /// The ID of the subscription whose event made this one, or 0.
  private let cause: Int
  private let surroundings: Surroundings
  /// The address of the `ElementLineTemplate`, which the first element makes. Many subscriptions
  /// don't have elements.
  private let template = Atomic<UInt>(0)
  // These four take one word.
  private let isOver = Atomic<Bool>(false)
  private let isShared = Atomic<Bool>(false)
  let livesUntilExit: Bool
  /// The number of the place, or a negative number if there isn't one.
  private let observedNumber: Int32

  // Reports use these values. One thread at a time delivers elements; other threads read the
  // values.
  private let elementCount = Atomic<Int>(0)
  private let lastTime = Atomic<Int>(0)

  // The addresses of the chain that is observed and of the observer downstream, for explanations.
  // They aren't references, because a recorder doesn't keep anything alive. Their bits are
  // inverted, because `trace-viewer leaks` and `LeakDetector` would take them for references.
  private let chain = Atomic<UInt>(~0)
  private let observer = Atomic<UInt>(~0)
  /// The address of the observer's code, or the number of the task whose life this is. The life of
  /// a task has no observer.
  private let codeOrTask = Atomic<UInt64>(0)
  /// The number of the observed sources, or 0 if they aren't known.
  private let sources = Atomic<UInt>(0)
  /// The ID of an earlier subscription of the same site with the same sources, or 0.
  private let twin = Atomic<Int>(0)
  /// The address of the next subscription in the same list of `LiveSubscriptions`, which alone uses
  /// it, under its lock.
  let nextLive = Atomic<UInt>(0)

  package init(
    recorder: Recorder, id: Int? = nil, site: SharedSite,
    observed: PlaceNumber? = nil, parent: TracedSubscription? = nil, cause: Int? = nil,
    scope: TraceScope? = nil, test: @autoclosure () -> TraceScope? = nil,
    lifetimeIsProcess: Bool = false, task: UInt64? = nil
  ) {
    let time = recorder.clock.now
    let id = id ?? recorder.subscriptions.next()
    self.id = id
    self.recorder = recorder
    self.site = site
    observedNumber = observed.map { Int32(truncatingIfNeeded: $0.number) } ?? -1
    firstParent = parent
    self.cause = cause ?? 0
    let ownScope = scope?.inside(recorder) ?? parent?.scope?.whileOpen ?? test()
    // If it is made for a subscription of another check, it belongs to that check, regardless of
    // which code makes it.
    surroundings = Surroundings(ownScope, parent?.check ?? scope?.check)
    livesUntilExit = lifetimeIsProcess
    if let task { codeOrTask.store(task, ordering: .relaxed) }
    start = time
    lastTime.store(time, ordering: .relaxed)
    // A child process must not touch the locks of its parent's log.
    guard recorder.isOpen, let thread = recorder.enter() else {
      // The beginning isn't in the log, so nothing else about the subscription is written. A check
      // also includes it if the log has just ended.
      if !recorder.isOpen, case .check(let checked) = surroundings {
        checked.check.note(self)
      } else {
        isOver.store(true, ordering: .relaxed)
      }
      return
    }
    // A connection moves later, if at all.
    encodeBeginning(
      .subscribe, &thread.pointee.line, thread: thread.pointee.number, parent: parent,
      observed: observed)
    hot.liveSubscriptions._withUnsafeGuaranteedRef { $0.insert(self) }
    // The log may have ended in the meantime and released its subscriptions. This one would be held
    // forever.
    if !recorder.isOpen { recorder.liveSubscriptions.remove(self) }
    if case .check(let checked) = surroundings { checked.check.note(self) }
    recorder.write(thread, at: time)
  }

  /// The place where the observation that the subscription belongs to was made: the call of
  /// `observeNext`, `sink`, `bind` or a similar function. It is nil for a subscription that isn't
  /// part of an observation, and for an observation that started before this log.
  package var observed: PlaceNumber? {
    if let owner = recorder.movedConnections.owner(of: id) { return owner.observed }
    return observedNumber < 0 ? nil : PlaceNumber(number: Int(observedNumber))
  }

  /// The traced subscription downstream that this one was made for. If that one has left the shared
  /// signal that this one belongs to, this is the one for which it continues.
  var parent: TracedSubscription? {
    if let owner = recorder.movedConnections.owner(of: id) { return owner.subscription }
    return firstParent
  }

  private var hot: RecorderHandle {
    @inline(__always) get { RecorderHandle(recorder) }
  }

  var scope: TraceScope? { surroundings.scope }

  /// The leak check in which the subscription was made.
  var check: LeakCheck? { surroundings.check }

  @inline(__always)
  private var isChecked: Bool { if case .check = surroundings { true } else { false } }

  private var isLifeOfTask: Bool { site.operator == .task }

  /// The number of the task whose life this is, or nil.
  var task: UInt64? {
    let number = isLifeOfTask ? codeOrTask.load(ordering: .relaxed) : 0
    return number == 0 ? nil : number
  }

  /// Notes whose life this is, if it is the life of a task.
  func noteTask(_ number: UInt64) {
    if isLifeOfTask { codeOrTask.store(number, ordering: .relaxed) }
  }

  deinit {
    ElementLineTemplate(address: template.load(ordering: .acquiring))?.free()
  }

  /// Returns the template for elements, made with the line of the calling thread if there isn't
  /// one.
  @inline(__always)
  private func nextLine(_ thread: UnsafeMutablePointer<ThreadContext>) -> ElementLineTemplate {
    ElementLineTemplate(address: template.load(ordering: .acquiring))
      ?? makeTemplateSlowPath(thread)
  }

  @inline(never)
  private func makeTemplateSlowPath(
    _ thread: UnsafeMutablePointer<ThreadContext>
  ) -> ElementLineTemplate {
    let made = ElementLineTemplate(
      id, site.lane, withValues: recorder.options.recordsValues, &thread.pointee.line)
    let (isStored, known) = template.compareExchange(
      expected: 0, desired: made.address, ordering: .acquiringAndReleasing)
    guard !isStored, let other = ElementLineTemplate(address: known) else { return made }
    made.free()
    return other
  }

  /// Appends the fields that all records have after their event.
  private func encodeName(_ line: inout LineBuffer) {
    line.integer(.sub, id)
    site.encodeLane(&line)
  }

  /// Encodes the beginning, including the call stack of its place if the file doesn't have it yet,
  /// because a process that is killed can't write the names of places anymore.
  private func encodeBeginning(
    _ event: EncodedEvent, _ line: inout LineBuffer, thread: Int?, parent: TracedSubscription?,
    observed place: PlaceNumber?
  ) {
    let named = site.place.flatMap { use($0, as: .lane) }
    let observed = place.flatMap { use($0, as: .observed) }
    line.begin(at: start, event)
    encodeName(&line)
    if let thread { line.integer(.thread, thread) }
    site.encodeDetails(&line)
    if let parent { line.integer(.parent, parent.id) }
    if cause != 0 { line.integer(.cause, cause) }
    if let scope { line.integer(.scope, scope.number) }
    if livesUntilExit { line.text(.lifetime, LogFormat.Lifetime.process.rawValue) }
    if let place { line.text(.observed, PlaceNumber.prefix, place.number) }
    if let frames = named ?? observed, !frames.addresses.isEmpty {
      line.text(.frames, frames.addresses)
    }
    if isShared.load(ordering: .relaxed) { line.integer(.shared, 1) }
    let twin = twin.load(ordering: .relaxed)
    if twin != 0 { line.integer(.twin, twin) }
    if let task { line.integer(.task, Int(clamping: task)) }
  }

  /// Registers a place that a record refers to. See `ObservationLocations.use`.
  @inline(__always)
  private func use(_ place: PlaceNumber, as use: ObservationLocations.Use) -> CallStack? {
    hot.locations._withUnsafeGuaranteedRef { $0.use(place, as: use) }
  }

  /// Writes that the subscription joined a source that others observe too.
  func join() {
    guard !hasEnded, !isShared.exchange(true, ordering: .relaxed) else { return }
    writeChange { $0.integer(.shared, 1) }
  }

  /// Notes the sources that the subscription observes. Writes another subscription of the same site
  /// that observes them, too.
  func note(_ observed: ObservedSources) {
    guard let number = observed.number, recorder.isOpen, !hasEnded else { return }
    sources.store(number, ordering: .relaxed)
    guard
      let other = recorder.latestSources.twin(of: self, number, in: recorder.liveSubscriptions)
    else { return }
    twin.store(other.id, ordering: .relaxed)
    writeChange { $0.integer(.twin, other.id) }
  }

  /// Returns whether another subscription of the same site observes the same sources.
  func isTwin(of other: TracedSubscription) -> Bool {
    self !== other && site === other.site && !hasEnded
      && sources.load(ordering: .relaxed) == other.sources.load(ordering: .relaxed)
  }

  /// Writes which subscription this one continues for, after `movedConnections` noted it.
  func writeOwner() {
    let (parent, observed) = (parent, observed)
    let frames = observed.flatMap { use($0, as: .observed) }
    writeChange { line in
      if let parent { line.integer(.parent, parent.id) }
      if let observed { line.text(.observed, PlaceNumber.prefix, observed.number) }
      if let frames, !frames.addresses.isEmpty { line.text(.frames, frames.addresses) }
    }
  }

  private func writeChange(_ encode: (inout LineBuffer) -> Void) {
    guard recorder.isOpen else { return }
    let time = recorder.clock.now
    guard let thread = recorder.enter() else { return }
    thread.pointee.line.begin(at: time, .changed)
    encodeName(&thread.pointee.line)
    encode(&thread.pointee.line)
    recorder.write(thread, at: time)
  }

  /// Writes that the task stopped running.
  ///
  /// The thread is in the middle of the runtime and can hold its locks, so sinks get the record
  /// with the next one.
  ///
  /// - Parameters:
  ///   - wait: What the task waits for.
  ///   - awaited: The life of the task that it waits for, if that is recorded.
  ///   - place: The asynchronous calls of the task.
  func suspended(
    on wait: UnfinishedTask.Wait, _ awaited: TracedSubscription?, at place: PlaceNumber
  ) {
    let frames = use(place, as: .observed)
    let time = recorder.clock.now
    guard let thread = recorder.enter() else { return }
    thread.pointee.line.begin(at: time, .suspended)
    encodeName(&thread.pointee.line)
    thread.pointee.line.text(.observed, PlaceNumber.prefix, place.number)
    if let frames, !frames.addresses.isEmpty { thread.pointee.line.text(.frames, frames.addresses) }
    thread.pointee.line.text(.wait, wait.rawValue)
    if let awaited {
      thread.pointee.line.objects(
        .awaits, [[(key: .sub, value: .integer(UInt64(awaited.id)))]])
    }
    recorder.writeLater(thread, at: time)
  }

  /// Writes that the task runs again. Sinks get the record with the next one.
  func resumed() {
    guard recorder.isOpen, !hasEnded else { return }
    let time = recorder.clock.now
    guard let thread = recorder.enter() else { return }
    thread.pointee.line.begin(at: time, .resumed)
    encodeName(&thread.pointee.line)
    recorder.writeLater(thread, at: time)
  }

  /// Repeats the `subscribe` record of an earlier file in a later file of the log.
  func restate(_ line: inout LineBuffer, _ publish: (borrowing LineBuffer) -> Void) {
    encodeBeginning(.alive, &line, thread: nil, parent: parent, observed: observed)
    line.end()
    publish(line)
  }

  /// The address of the observed chain, or 0 if it isn't known.
  var chainAddress: UInt { ~chain.load(ordering: .relaxed) }
  /// The address of the downstream closure's context, or 0 if the closure doesn't have one.
  var observerAddress: UInt { ~observer.load(ordering: .relaxed) }

  /// The address of the code of that closure.
  var observerCode: UInt {
    isLifeOfTask ? 0 : UInt(truncatingIfNeeded: codeOrTask.load(ordering: .relaxed))
  }

  /// Stores the addresses of the observed chain and the observer, for explanations of why the
  /// subscription is alive.
  @usableFromInline
  func note<Element, Error: Swift.Error>(
    _ chain: ChainDisposable, _ observer: @escaping Observer<Element, Error>
  ) {
    note(chain, ObserverWords(observer))
  }

  func note(_ chain: ChainDisposable, _ words: ObserverWords) {
    self.chain.store(
      ~UInt(bitPattern: Unmanaged.passUnretained(chain).toOpaque()), ordering: .relaxed)
    observer.store(~words.context, ordering: .relaxed)
    codeOrTask.store(UInt64(words.function), ordering: .relaxed)
  }

  /// Notes the object with which downstream can end the subscription, or that it was deallocated.
  func note(holding object: AnyObject?) {
    let address = object.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
    chain.store(~(address ?? 0), ordering: .relaxed)
  }

  package var hasEnded: Bool { isOver.load(ordering: .relaxed) }

  @inline(never)
  private func writeElementSlowPath(
    _ thread: UnsafeMutablePointer<ThreadContext>, at time: Int
  ) {
    let shown = thread.pointee.text.shown(within: recorder.options.valueLimit)
    thread.pointee.line.begin(at: time, .next)
    encodeName(&thread.pointee.line)
    let text = UnsafeBufferPointer(
      start: thread.pointee.text.bytes.assumingMemoryBound(to: UInt8.self), count: shown)
    thread.pointee.line.text(.value, text, of: thread.pointee.text.total)
    thread.pointee.line.integer(.thread, thread.pointee.number)
    recorder.write(thread, at: time)
  }

  private func writeSilentElement(at time: Int) {
    guard let thread = recorder.enter() else { return }
    if isQuick, !recorder.options.recordsValues,
      FastElementWriter.writeSilent(nextLine(thread), thread, at: time, hot)
    {
      return Recorder.leave()
    }
    thread.pointee.line.begin(at: time, .next)
    encodeName(&thread.pointee.line)
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
    encodeName(&thread.pointee.line)
    if let text {
      thread.pointee.line.text(.value, text, limit: recorder.options.valueLimit)
    }
    thread.pointee.line.integer(.thread, thread.pointee.number)
    thread.pointee.line.text(.on, moment.rawValue)
    recorder.write(thread, at: time)
  }

  /// Writes why the subscription is alive.
  package func write(_ retention: Retention) {
    guard recorder.isOpen, !hasEnded else { return }
    let time = recorder.clock.now
    guard let thread = recorder.enter() else { return }
    thread.pointee.line.begin(at: time, .retained)
    encodeName(&thread.pointee.line)
    retention.encode(&thread.pointee.line)
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
    hot.liveSubscriptions._withUnsafeGuaranteedRef { $0.remove(self) }
    hot.movedConnections._withUnsafeGuaranteedRef { $0.forget(id) }
    // The time is read after the exchange: an element whose writer didn't see an end has an earlier
    // time.
    let time = recorder.clock.now
    thread.pointee.line.begin(at: time, event)
    encodeName(&thread.pointee.line)
    if let error {
      thread.pointee.line.text(.error, error, limit: recorder.options.valueLimit)
    }
    thread.pointee.line.integer(.thread, thread.pointee.number)
    recorder.write(thread, at: time)
  }

  // MARK: Values for reports

  @inline(__always)
  private func noteElement(at time: Int) {
    elementCount.store(elementCount.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    lastTime.store(time, ordering: .relaxed)
  }

  private func noteElementOfMany(at time: Int) {
    elementCount.wrappingAdd(1, ordering: .relaxed)
    lastTime.store(time, ordering: .relaxed)
  }

  @inline(never)
  private func noteText(_ thread: UnsafeMutablePointer<ThreadContext>) {
    let text = thread.pointee.text.string(within: recorder.options.valueLimit)
    if case .check(let checked) = surroundings { checked.lastText.withLock { $0 = text } }
  }

  /// The number of elements, the time of the last one, and its text if a leak check requested it.
  var progress: (elements: Int, lastTime: Int, lastText: String?) {
    let lastText: String? =
      if case .check(let checked) = surroundings { checked.lastText.withLock { $0 } } else { nil }
    return (
      elementCount.load(ordering: .relaxed), lastTime.load(ordering: .relaxed), lastText
    )
  }
}

/// The records of elements. Callers must pass elements one at a time, unless a function says
/// otherwise. The text of an element is made outside any lock, and only if it is written.
///
/// The code that calls these functions is specialized for its elements. Except for the inlined one,
/// the functions themselves aren't generic.
extension TracedSubscription {
  /// Writes an element, with the text that `writer` makes.
  @inlinable
  @inline(__always)
  package func next<Element>(_ element: Element, _ writer: borrowing ValueWriter<Element>) {
    switch writer.way {
    case .planned:
      if Element.self == Int.self {
        next(integer: unsafeBitCast(element, to: Int.self))
      } else if Element.self == String.self {
        next(text: unsafeBitCast(element, to: String.self))
      } else {
        guard let time = beginElement(), let thread = openText() else { return }
        writer.write(element, to: thread)
        writeElement(in: thread, at: time)
      }
    case .apart:
      if let time = beginElement() { writeElementApart(element, writer, at: time) }
    case .text:
      if let time = beginElement() { writeElement(writer.described(element), at: time) }
    case .silent: nextSilently()
    case .none: break
    }
  }

  @usableFromInline
  package func next(integer: Int) {
    guard let time = beginElement(), let thread = openBuffer() else { return }
    if let short = ShortText(integer), isQuick,
      FastElementWriter.write(short, nextLine(thread), thread, at: time, hot)
    {
      return Recorder.leave()
    }
    thread.pointee.text.append(integer: integer)
    writeBufferedElement(thread, at: time)
  }

  /// Writes the element at an address with the text that a plan makes (`ValueWriter.word`).
  @usableFromInline
  package func next(at element: UnsafeRawPointer, _ word: UInt) {
    guard let plan = ValueWriter<Never>.plan(word), let time = beginElement(),
      let thread = openBuffer()
    else { return }
    TextPlan.write(plan, element, nested: false, to: &thread.pointee.text)
    writeBufferedElement(thread, at: time)
  }

  @usableFromInline
  package func next(text: String) {
    if let time = beginElement() { writeElement(text, at: time) }
  }

  /// Writes an element without its text.
  @usableFromInline
  package func nextSilently() {
    if let time = beginElement() { writeSilentElement(at: time) }
  }

  /// Writes an element. Several threads may call this at the same time.
  func nextConcurrently(text: String?) {
    guard !hasEnded, hot.isOpen else { return }
    let time = hot.now
    guard !hasEnded else { return }
    noteElementOfMany(at: time)
    guard hot.takesElements || isChecked else { return }
    if let text { writeElement(text, at: time) } else { writeSilentElement(at: time) }
  }

  /// Counts an element. Returns its time, or nil if the element isn't written. User code may run
  /// between this call and the one that writes the element.
  @usableFromInline
  @inline(__always)
  package func beginElement() -> Int? {
    guard !hasEnded, hot.isOpen else { return nil }
    let time = hot.now
    // Check again now that the time is known. The time of an end is read after the end was noted,
    // so it is later than this time.
    guard !hasEnded else { return nil }
    noteElement(at: time)
    return hot.takesElements || isChecked ? time : nil
  }

  /// Returns the thread's buffer for code that makes text, or nil if the record is lost. A caller
  /// that gets the buffer must call `writeElement(in:at:)`.
  @usableFromInline
  package func openText() -> UnsafeMutableRawPointer? {
    openBuffer().map { UnsafeMutableRawPointer($0) }
  }

  /// Writes the element whose text is in the thread's buffer.
  @usableFromInline
  package func writeElement(in thread: UnsafeMutableRawPointer, at time: Int) {
    writeBufferedElement(thread.assumingMemoryBound(to: ThreadContext.self), at: time)
  }

  /// Writes an element with its text.
  @usableFromInline
  package func writeElement(_ text: String, at time: Int) {
    guard let thread = openBuffer() else { return }
    // Without a copy, the string isn't retained.
    let isDone =
      text.utf8.withContiguousStorageIfAvailable { write($0, thread, at: time) }
      ?? {
        var text = text
        return text.withUTF8 { write($0, thread, at: time) }
      }()
    if isDone { Recorder.leave() } else { writeBufferedElement(thread, at: time) }
  }

  /// Writes an element with its text if it is short, or else adds the text to the thread's buffer
  /// and returns false.
  @inline(__always)
  private func write(
    _ text: UnsafeBufferPointer<UInt8>, _ thread: UnsafeMutablePointer<ThreadContext>, at time: Int
  ) -> Bool {
    if let short = ShortText(text), isQuick,
      FastElementWriter.write(short, nextLine(thread), thread, at: time, hot)
    {
      return true
    }
    thread.pointee.text.append(text)
    return false
  }

  /// Writes an element whose text comes from the user's code, which may itself send elements.
  @usableFromInline
  package func writeElementApart<Element>(
    _ element: Element, _ writer: borrowing ValueWriter<Element>, at time: Int
  ) {
    var text = TextBuffer()
    defer { text.deallocate() }
    text.begin(limit: hot.valueLimit)
    writer.write(element, to: &text)
    guard let thread = openBuffer() else { return }
    thread.pointee.text.append(text)
    writeBufferedElement(thread, at: time)
  }

  /// A Boolean value that indicates whether records go only to a file, and nothing else needs them.
  @inline(__always)
  private var isQuick: Bool { hot.isFileAlone && !isChecked }

  @inline(__always)
  private func openBuffer() -> UnsafeMutablePointer<ThreadContext>? {
    guard let thread = hot.thread else { return nil }
    thread.pointee.text.begin(limit: hot.valueLimit)
    return thread
  }

  @inline(__always)
  private func writeBufferedElement(
    _ thread: UnsafeMutablePointer<ThreadContext>, at time: Int
  ) {
    if isChecked { noteText(thread) }
    if isQuick, let short = thread.pointee.text.short,
      FastElementWriter.write(short, nextLine(thread), thread, at: time, hot)
    {
      return Recorder.leave()
    }
    guard hot.isFileAlone, FastElementWriter.write(nextLine(thread), thread, at: time, hot) else {
      return writeElementSlowPath(thread, at: time)
    }
    Recorder.leave()
  }
}
