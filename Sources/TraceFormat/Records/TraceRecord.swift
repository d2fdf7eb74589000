/// One line of a log, its texts borrowed from the reader's buffer.
package struct TraceRecord {
  package let time: Nanoseconds
  package let body: Body
  /// Whether it is only now being written: its event is not there yet, or still has the name that stands for none.
  package var isUnfinished = false

  @inlinable
  package init(time: Nanoseconds, body: Body, isUnfinished: Bool = false) {
    self.time = time
    self.body = body
    self.isUnfinished = isUnfinished
  }

  /// One case a kind of line.
  package enum Body {
    case trace(TraceHeader)
    case thread(number: UInt64, name: RawText?)
    case subscribe(Subscribe)
    /// What an earlier file of the log said.
    case alive(Subscribe)
    /// What the source calls a lane.
    case place(lane: RawText, source: RawText?, function: RawText?)
    case next(Moment)
    case completed(Moment)
    case failed(Moment)
    case disposed(Moment)
    case released(Moment)
    case breakpoint(Moment)
    case mark(name: RawText?)
    case scopeBegin(number: UInt64, name: RawText?)
    case scopeEnd(number: UInt64)
    case lost(count: UInt64, reason: RawText?)
    case end(records: UInt64?, lost: UInt64)
    /// The log goes on in another file.
    case continued(records: UInt64?, lost: UInt64)
    /// An event of a later minor version; it is kept as having happened.
    case unknown

    /// What happened to a subscription after its beginning; nil for all other records.
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

  /// The beginning of a subscription.
  package struct Subscribe {
    package let id: SubscriptionID
    package let lane: RawText?
    package let op: LogFormat.Operator?
    package let source: RawText?
    package let function: RawText?
    package let type: RawText?
    package let thread: UInt64?
    package let parent: SubscriptionID?
    package let cause: SubscriptionID?
    package let scope: UInt64?
    package let livesUntilExit: Bool
  }

  /// Something that happened to a subscription.
  package struct Moment {
    package let id: SubscriptionID
    package let lane: RawText?
    /// The text of an element or of an error.
    package let text: RawText?
    package let truncated: UInt64?
    package let thread: UInt64?

    @inlinable
    package init(
      id: SubscriptionID, lane: RawText?, text: RawText?, truncated: UInt64?, thread: UInt64?
    ) {
      self.id = id
      self.lane = lane
      self.text = text
      self.truncated = truncated
      self.thread = thread
    }
  }

  /// Where a record stands: 16 bytes, because there is one for every subscription.
  package struct Place: Equatable, Sendable {
    private let fileAndOffset: UInt64
    private let shortLength: UInt32
    private var shortLine: UInt32

    /// - Parameters:
    ///   - file: which of the files that are read, from 0.
    ///   - line: from 1.
    package init(file: Int = 0, line: Int, offset: Int, length: Int) {
      fileAndOffset = UInt64(truncatingIfNeeded: file) &<< 48 | UInt64(truncatingIfNeeded: offset)
      shortLength = UInt32(clamping: length)
      shortLine = UInt32(clamping: line)
    }

    package var file: Int { Int(fileAndOffset &>> 48) }
    /// In bytes.
    package var offset: Int { Int(fileAndOffset & 0xFFFF_FFFF_FFFF) }
    /// In bytes, without the line end.
    package var length: Int { Int(shortLength) }
    /// From 1; the lines after some four thousand million have the number of the last that has one.
    package var line: Int { Int(shortLine) }

    /// Counts the lines before the stretch that it was read in.
    package mutating func move(byLines lines: Int) {
      shortLine = UInt32(clamping: line + lines)
    }

    package func moved(byLines lines: Int) -> Place {
      var place = self
      place.move(byLines: lines)
      return place
    }
  }
}
