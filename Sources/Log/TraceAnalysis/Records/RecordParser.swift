package import TraceFormat

/// A parser that turns the bytes of a line into a record.
///
/// Lines in the form that this package writes take a fast path. All other valid JSON objects take
/// the full parser.
package struct RecordParser: ~Copyable {
  private var fields = RecordFields()
  private let events = WordTable<LogFormat.Event>()
  private let operators = WordTable<LogFormat.Operator>()

  package init() {}

  /// Returns the record of a line. `line` does not include the newline.
  package mutating func parse(
    _ line: UnsafeBufferPointer<UInt8>
  ) throws(LineFault) -> TraceRecord {
    guard let start = line.baseAddress, line.count > 0 else { throw .cut }
    let cursor = JSONCursor(position: start, end: start + line.count)
    if let record = quickRecord(cursor) { return record }
    if let (time, beginning) = QuickBeginning.record(cursor, operators) {
      return TraceRecord(time: time, body: .subscribe(beginning))
    }
    if let record = QuickWait.record(cursor) { return record }
    return try recordSlowPath(cursor)
  }

  /// Returns the `subscribe` record of a line in the form that the recorder writes; `nil` for any
  /// other line, which may be such a record in another form.
  package func beginning(
    of line: UnsafeBufferPointer<UInt8>
  ) -> (time: Nanoseconds, beginning: TraceRecord.Subscribe)? {
    guard let start = line.baseAddress else { return nil }
    return QuickBeginning.record(
      JSONCursor(position: start, end: start + line.count), operators)
  }

  /// Returns the record of a line that has the keys of an event in their usual order without spaces
  /// between them. Returns `nil` for any other line.
  @inline(__always)
  private func quickRecord(_ start: JSONCursor) -> TraceRecord? {
    var cursor = start
    guard cursor.take("{\"t\":"), let time = cursor.takeInteger(),
      cursor.take(",\"event\":\""), let name = try? cursor.string(),
      let event = events.word(name), event.isMoment,
      cursor.take(",\"sub\":"), let number = cursor.takeInteger(),
      let id = SubscriptionID(number),
      cursor.take(",\"lane\":\""), let lane = try? cursor.string()
    else { return nil }

    var text: RawText?
    var truncated: UInt64?
    var thread: UInt64?
    if cursor.take(event == .failed ? ",\"error\":\"" : ",\"value\":\"") {
      guard let value = try? cursor.string() else { return nil }
      text = value
    }
    if cursor.take(",\"truncated\":") {
      guard let count = cursor.takeInteger() else { return nil }
      truncated = count
    }
    if cursor.take(",\"thread\":") {
      guard let number = cursor.takeInteger() else { return nil }
      thread = number
    }
    guard cursor.take("}"), cursor.isAtEnd else { return nil }
    let moment = TraceRecord.Moment(
      id: id, lane: lane, text: text, truncated: truncated, thread: thread)
    return TraceRecord(time: Nanoseconds(time), body: .of(event, moment))
  }

  @inline(never)
  private mutating func recordSlowPath(_ start: JSONCursor) throws(LineFault) -> TraceRecord {
    var cursor = start
    try fields.read(&cursor)
    guard let time = fields.integer(.t) else { throw .incomplete }
    // A thread killed in the first step of a line leaves `{"t":1204}`, which is unfinished but not
    // damaged.
    guard let name = fields.text(.event), let event = events.word(name) else {
      let isUnfinished = fields.text(.event)?.beginsWithHyphen ?? true
      return TraceRecord(time: Nanoseconds(time), body: .unknown, isUnfinished: isUnfinished)
    }
    return TraceRecord(time: Nanoseconds(time), body: try body(event))
  }

  private func body(_ event: LogFormat.Event) throws(LineFault) -> TraceRecord.Body {
    switch event {
    case .trace:
      return .trace(try header())
    case .thread:
      guard let number = fields.integer(.thread) else { throw .incomplete }
      return .thread(number: number, name: fields.text(.name))
    case .subscribe:
      return .subscribe(try subscribe())
    case .alive:
      return .alive(try subscribe())
    case .place:
      guard let lane = fields.text(.lane) else { throw .incomplete }
      return .place(
        lane: lane, source: fields.text(.source), function: fields.text(.function), calls: calls)
    case .next, .completed, .failed, .disposed, .released, .breakpoint:
      return .of(event, try moment(event))
    case .retained:
      return .retained(try retained())
    case .changed:
      return .changed(try changed())
    case .task:
      return .task(try task())
    case .object:
      return .object(try object())
    case .instances:
      return .instances(scope: fields.integer(.scope), classes(.members))
    case .process:
      return .process(process())
    case .stack:
      return .stack(try stack())
    case .hang:
      return .hang(hang())
    case .suspended:
      return .suspended(try suspended())
    case .resumed:
      return .resumed(try subscription(), lane: fields.text(.lane))
    case .mark:
      return .mark(name: fields.text(.name))
    case .scopeBegin:
      guard let number = fields.integer(.scope) else { throw .incomplete }
      return .scopeBegin(
        .init(
          number: number, name: fields.text(.name), outer: fields.integer(.outer),
          kind: fields.text(.kind).flatMap { LogFormat.ScopeKind(rawValue: $0.string) },
          source: fields.text(.source)))
    case .scopeEnd:
      guard let number = fields.integer(.scope) else { throw .incomplete }
      return .scopeEnd(number: number, name: fields.text(.name))
    case .lost:
      // A loss without a count is still a loss.
      return .lost(count: fields.integer(.count) ?? 1, reason: fields.text(.reason))
    case .end:
      return .end(
        records: fields.integer(.records), lost: fields.integer(.lost) ?? 0,
        searched: fields.integer(.searched),
        // Any reason is one, also that of a later minor version.
        taskLimit: fields.text(.reason).map {
          Retention.Limit(reason: $0.string, searched: nil) ?? .platform
        })
    case .continued:
      return .continued(records: fields.integer(.records), lost: fields.integer(.lost) ?? 0)
    }
  }

  private var calls: [UnfinishedTask.Call] {
    (fields.objects(.calls) ?? []).map { UnfinishedTask.Call($0) }
  }

  private func header() throws(LineFault) -> TraceHeader {
    let version = fields.integer(.version).map { Int(clamping: $0) }
    let odd =
      version == nil ? fields.oddVersion ?? fields.text(.version).map { "\"\($0.string)\"" } : nil
    guard let version = version ?? odd.map({ _ in Int.max }) else { throw .incomplete }
    return TraceHeader(
      version: version, oddVersion: odd,
      trace: ownText(.trace), process: ownText(.process),
      pid: fields.integer(.pid).flatMap { $0 == 0 ? nil : $0 },
      host: ownText(.host), started: ownText(.started), recorder: ownText(.recorder),
      segment: fields.integer(.segment).flatMap { $0 == 0 ? nil : $0 },
      run: ownText(.run), replaced: fields.integer(.replaced) ?? 0)
  }

  /// Returns the text of a header key, or nil if the header has the placeholder "-" there.
  private func ownText(_ key: LogFormat.Key) -> String? {
    guard let text = fields.text(key), !text.isPlaceholder else { return nil }
    return text.string
  }

  /// - Parameter op: The operator, if the record doesn't have it.
  private func subscribe(
    as op: LogFormat.Operator? = nil
  ) throws(LineFault) -> TraceRecord.Subscribe {
    TraceRecord.Subscribe(
      id: try subscription(), lane: fields.text(.lane),
      op: op ?? fields.text(.op).flatMap { operators.word($0) }, library: word(.library),
      source: fields.text(.source), function: fields.text(.function), type: fields.text(.type),
      // The thread of a task is one of the system.
      thread: op == nil ? fields.integer(.thread) : nil,
      parent: fields.integer(.parent).flatMap { SubscriptionID($0) },
      cause: fields.integer(.cause).flatMap { SubscriptionID($0) },
      scope: fields.integer(.scope),
      livesUntilExit: fields.text(.lifetime)?.string == "process",
      observed: fields.text(.observed), isShared: isShared, twin: twin,
      task: fields.integer(.task))
  }

  private var isShared: Bool { fields.integer(.shared).map { $0 != 0 } ?? false }

  private var twin: SubscriptionID? { fields.integer(.twin).flatMap { SubscriptionID($0) } }

  private func changed() throws(LineFault) -> TraceRecord.Changed {
    TraceRecord.Changed(
      id: try subscription(), lane: fields.text(.lane),
      parent: fields.integer(.parent).flatMap { SubscriptionID($0) },
      observed: fields.text(.observed), isShared: isShared, twin: twin)
  }

  private func retained() throws(LineFault) -> TraceRecord.Retained {
    let steps = fields.steps(.steps) ?? []
    // An unknown kind or proof, from a later minor version, is read as the weakest one. A cycle has
    // at least one step of its own. Without steps, a retention doesn't prove anything.
    var kind: Retention.Kind = word(.kind) ?? .none
    if kind == .cycle, steps.isEmpty { kind = .none }
    let tail = kind == .cycle ? fields.integer(.tail) ?? 0 : 0
    // Numbers that don't fit the path are ignored.
    let retention = Retention(
      kind: kind,
      isProbable: (word(.proof) ?? LogFormat.RetentionProof.probable) == .probable
        && !steps.isEmpty,
      steps: steps, tail: tail == 0 ? 0 : Int(min(tail, UInt64(steps.count - 1))),
      breakIndex: fields.integer(.breakIndex).flatMap {
        $0 < UInt64(steps.count) ? Int($0) : nil
      },
      owner: word(.owner),
      limit: Retention.Limit(
        reason: fields.text(.reason)?.string, searched: fields.integer(.searched)))
    return TraceRecord.Retained(id: try subscription(), retention: retention)
  }

  private func task() throws(LineFault) -> TraceRecord.Task {
    guard let number = fields.integer(.task) else { throw .incomplete }
    var facts = UnfinishedTask(
      number: number, name: sentence(.name), priority: fields.integer(.priority) ?? 0,
      state: word(.state) ?? .suspended, wait: word(.wait))
    facts.pause = word(.pause)
    facts.awaited = awaited
    facts.canceled = fields.integer(.canceled)
    facts.reach = word(.reach)
    facts.isCertain = word(.proof) == LogFormat.RetentionProof.certain
    facts.executor = sentence(.on)
    facts.thread = thread
    facts.hasMoved = hasMoved
    facts.count = max(1, Int(clamping: fields.integer(.count) ?? 1))
    facts.calls = calls
    return TraceRecord.Task(beginning: try subscribe(as: .task), facts: facts)
  }

  private func object() throws(LineFault) -> TraceRecord.Object {
    TraceRecord.Object(
      beginning: try subscribe(as: .object),
      facts: LeakedObjects(
        scope: fields.integer(.scope), count: Int(clamping: fields.integer(.count) ?? 1),
        members: classes(.members),
        held: classes(.held)))
  }

  private func process() -> InspectedProcess {
    InspectedProcess(
      parent: fields.integer(.parent) ?? 0, command: fields.texts(.command) ?? [],
      taskList: word(.state) ?? .incomplete, layout: fields.integer(.version),
      tracer: fields.integer(.tracer), missingThreads: Int(clamping: fields.integer(.count) ?? 0))
  }

  private func stack() throws(LineFault) -> ThreadStack {
    guard let thread else { throw .incomplete }
    var stack = ThreadStack(
      thread: thread, name: sentence(.name) ?? "",
      activity: ThreadActivity(
        word(.kind) ?? .other, on: sentence(.on), heldBy: awaitedThreads.first,
        process: fields.integer(.pid).flatMap { Int32(exactly: $0) }),
      task: fields.integer(.sub).flatMap { SubscriptionID($0) }, hasMoved: hasMoved, calls: calls)
    if let function = sentence(.function) {
      stack.place = UnfinishedTask.Call(function: function, source: sentence(.source))
    }
    return stack
  }

  private func hang() -> Hang {
    var hang = Hang(
      word(.kind) ?? .unknown, isProven: word(.proof) == LogFormat.RetentionProof.certain,
      test: sentence(.name))
    hang.pause = word(.pause)
    hang.executor = sentence(.on)
    hang.tasks = awaited
    hang.threads = awaitedThreads
    hang.places = calls
    return hang
  }

  /// The number that the system gave to a thread.
  private var thread: Int32? { fields.integer(.thread).flatMap { Int32(exactly: $0) } }

  private var hasMoved: Bool { fields.integer(.moved).map { $0 != 0 } ?? false }

  private var awaitedThreads: [Int32] {
    (fields.objects(.awaits) ?? []).compactMap {
      $0.integer(.thread).flatMap { Int32(exactly: $0) }
    }
  }

  private func classes(_ key: LogFormat.Key) -> [LeakedObjects.Class] {
    (fields.objects(key) ?? []).map { LeakedObjects.Class($0) }
  }

  private func suspended() throws(LineFault) -> TraceRecord.Suspended {
    TraceRecord.Suspended(
      id: try subscription(), lane: fields.text(.lane), wait: word(.wait), awaited: awaited,
      source: fields.text(.source), function: fields.text(.function),
      observed: fields.text(.observed))
  }

  /// The tasks that a task waits for.
  private var awaited: [SubscriptionID] {
    (fields.objects(.awaits) ?? []).compactMap { $0.integer(.sub).flatMap { SubscriptionID($0) } }
  }

  private func word<Word: RawRepresentable>(_ key: LogFormat.Key) -> Word?
  where Word.RawValue == String {
    fields.text(key).flatMap { Word(rawValue: $0.string) }
  }

  /// Returns a string, or nil if it is empty.
  private func sentence(_ key: LogFormat.Key) -> String? {
    fields.text(key).flatMap { $0.count > 0 ? $0.string : nil }
  }

  private func moment(_ event: LogFormat.Event) throws(LineFault) -> TraceRecord.Moment {
    TraceRecord.Moment(
      id: try subscription(), lane: fields.text(.lane),
      text: fields.text(event == .failed ? .error : .value),
      truncated: fields.integer(.truncated), thread: fields.integer(.thread))
  }

  private func subscription() throws(LineFault) -> SubscriptionID {
    guard let id = fields.integer(.sub).flatMap({ SubscriptionID($0) }) else { throw .incomplete }
    return id
  }
}

extension RawText {
  /// True if the text begins like the event of a line that is still being written.
  fileprivate var beginsWithHyphen: Bool { count > 0 && start.pointee == UInt8(ascii: "-") }
}

extension LogFormat.Event {
  /// True for an event that follows the start of a subscription and that the fast path can read.
  fileprivate var isMoment: Bool {
    switch self {
    case .next, .completed, .failed, .disposed, .released: true
    default: false
    }
  }
}

extension TraceRecord.Body {
  /// Returns an event of a subscription after its start.
  @inline(__always)
  package static func of(
    _ event: LogFormat.Event, _ moment: TraceRecord.Moment
  ) -> TraceRecord.Body {
    switch event {
    case .next: .next(moment)
    case .completed: .completed(moment)
    case .failed: .failed(moment)
    case .disposed: .disposed(moment)
    case .released: .released(moment)
    case .breakpoint: .breakpoint(moment)
    default: .unknown
    }
  }
}
