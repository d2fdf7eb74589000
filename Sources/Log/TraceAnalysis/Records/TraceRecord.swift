package import TraceFormat

/// One line of a log. Its strings borrow from the reader's buffer.
@usableFromInline
package struct TraceRecord {
  package let time: Nanoseconds
  package let body: Body
  /// True while the line is still being written: the event is missing, or it still has the name of
  /// an unfinished event.
  package var isUnfinished = false

  package init(time: Nanoseconds, body: Body, isUnfinished: Bool = false) {
    self.time = time
    self.body = body
    self.isUnfinished = isUnfinished
  }

  /// The content of a record, with one case for each kind of line.
  package enum Body {
    case trace(TraceHeader)
    case thread(number: UInt64, name: RawText?)
    case subscribe(Subscribe)
    /// A subscription that an earlier file of the log already described.
    case alive(Subscribe)
    /// The location of a lane in the source.
    /// - Parameter calls: The calls that led to the place, innermost first.
    case place(
      lane: RawText, source: RawText?, function: RawText?, calls: [UnfinishedTask.Call])
    /// The reason why a subscription is still alive.
    case retained(Retained)
    /// Facts about a subscription that became known or changed after it began.
    case changed(Changed)
    /// A task that hadn't ended when the log ended.
    case task(Task)
    /// Objects that nothing can reach any more.
    case object(Object)
    /// The numbers of live objects by class, in the scope with the number if there is one.
    case instances(scope: UInt64?, [LeakedObjects.Class])
    /// What an inspection found out about the process, without its threads and hangs.
    case process(InspectedProcess)
    case stack(ThreadStack)
    case hang(Hang)
    /// A task stopped running.
    case suspended(Suspended)
    /// A task that was suspended runs again.
    case resumed(SubscriptionID, lane: RawText?)
    case next(Moment)
    case completed(Moment)
    case failed(Moment)
    case disposed(Moment)
    case released(Moment)
    case breakpoint(Moment)
    case mark(name: RawText?)
    case scopeBegin(ScopeBegin)
    case scopeEnd(number: UInt64, name: RawText?)
    case lost(count: UInt64, reason: RawText?)
    /// - Parameters:
    ///   - searched: The size of the memory that was searched for leaked objects, in bytes, if the
    ///     log is that of such a search.
    ///   - taskLimit: Why it isn't known which tasks can continue, if it isn't.
    case end(records: UInt64?, lost: UInt64, searched: UInt64?, taskLimit: Retention.Limit?)
    /// The log continues in another file.
    case continued(records: UInt64?, lost: UInt64)
    /// An event of a later minor version. It is kept as something that happened.
    case unknown

    /// The event of a subscription after its start, or nil for all other records.
    package var moment: (kind: LogFormat.Event, moment: Moment)? {
      switch self {
      case .next(let moment): (.next, moment)
      case .completed(let moment): (.completed, moment)
      case .failed(let moment): (.failed, moment)
      case .disposed(let moment): (.disposed, moment)
      case .released(let moment): (.released, moment)
      case .breakpoint(let moment): (.breakpoint, moment)
      default: nil
      }
    }
  }

  /// The start of a scope.
  package struct ScopeBegin {
    package let number: UInt64
    package let name: RawText?
    /// The number of the scope around it.
    package let outer: UInt64?
    /// Nil for a scope that the program named, and for a kind of a later minor version.
    package let kind: LogFormat.ScopeKind?
    /// Where a test is declared, such as `ShopTests/CartTests.swift:8`.
    package let source: RawText?
  }

  /// The start of a subscription.
  package struct Subscribe {
    package let id: SubscriptionID
    package let lane: RawText?
    package let op: LogFormat.Operator?
    package let library: LogFormat.StreamLibrary?
    package let source: RawText?
    package let function: RawText?
    package let type: RawText?
    package let thread: UInt64?
    package let parent: SubscriptionID?
    package let cause: SubscriptionID?
    package let scope: UInt64?
    package let livesUntilExit: Bool
    /// The place where the subscription was observed, or a name that a `place` record explains.
    package let observed: RawText?
    /// A Boolean value that indicates whether the subscription joined a source that others observe
    /// too.
    package let isShared: Bool
    /// An earlier subscription of the same lane that observes the same source.
    package let twin: SubscriptionID?
    /// The number of the task in its process, if the subscription is the life of one.
    package let task: UInt64?
  }

  /// Facts about a subscription that became known or changed after it began.
  package struct Changed {
    package let id: SubscriptionID
    package let lane: RawText?
    /// The subscription for which this one continues, or `nil` if the record does not contain it.
    package let parent: SubscriptionID?
    package let observed: RawText?
    package let isShared: Bool
    /// An earlier subscription of the same lane that observes the same source.
    package let twin: SubscriptionID?
  }

  /// The reason why a subscription is still alive.
  package struct Retained {
    package let id: SubscriptionID
    package let retention: Retention
  }

  /// A task that hadn't ended when the log ended.
  package struct Task {
    /// The beginning of its subscription, if no earlier record has it.
    package let beginning: Subscribe
    package let facts: UnfinishedTask
  }

  /// Objects that nothing can reach any more.
  package struct Object {
    package let beginning: Subscribe
    package let facts: LeakedObjects
  }

  /// The beginning of a wait of a task.
  package struct Suspended {
    package let id: SubscriptionID
    package let lane: RawText?
    /// What the task waits for; nil if the record doesn't contain it or has an unknown word.
    package let wait: UnfinishedTask.Wait?
    /// The tasks that it waits for.
    package let awaited: [SubscriptionID]
    /// The place of the `await`, or in `observed` a name that a `place` record explains.
    package let source: RawText?
    package let function: RawText?
    package let observed: RawText?
  }

  /// An event of a subscription after its start.
  package struct Moment {
    package let id: SubscriptionID
    package let lane: RawText?
    /// The text of an element or an error.
    package let text: RawText?
    package let truncated: UInt64?
    package let thread: UInt64?
  }

  /// The location of a record. It takes only 16 bytes, because there is one for every subscription.
  @frozen @usableFromInline
  package struct Location: Equatable, BitwiseCopyable, Sendable {
    @usableFromInline package let fileAndOffset: UInt64
    @usableFromInline let shortLength: UInt32
    @usableFromInline package var shortLine: UInt32

    /// Creates the location of a record whose length does not matter.
    @inlinable
    package init(fileAndOffset: UInt64, line: UInt32) {
      self.fileAndOffset = fileAndOffset
      shortLength = 0
      shortLine = line
    }

    /// - Parameters:
    ///   - file: The index of the file among the files that are read, from 0.
    ///   - line: The line number, from 1.
    @inlinable
    package init(file: Int = 0, line: Int, offset: Int, length: Int) {
      fileAndOffset = UInt64(truncatingIfNeeded: file) &<< 48 | UInt64(truncatingIfNeeded: offset)
      shortLength = UInt32(clamping: length)
      shortLine = UInt32(clamping: line)
    }

    @inlinable package var file: Int { Int(fileAndOffset &>> 48) }
    /// The offset in the file, in bytes.
    @inlinable package var offset: Int { Int(fileAndOffset & 0xFFFF_FFFF_FFFF) }
    /// The length in bytes, without the newline.
    @inlinable package var length: Int { Int(shortLength) }
    /// The line number, from 1. Lines after number 2^32 - 1, the largest that fits, have that
    /// number too.
    @inlinable package var line: Int { Int(shortLine) }

    /// Adds the lines that precede the part of the file in which the record was read.
    @inlinable
    package mutating func move(byLines lines: Int) {
      shortLine = UInt32(clamping: line + lines)
    }

    @inlinable
    package func moved(byLines lines: Int) -> Location {
      var location = self
      location.move(byLines: lines)
      return location
    }
  }
}
