import TraceFormat

/// The part of a lifecycle that does not change after the beginning, except for the end.
struct Origin: BitwiseCopyable, Sendable {
  var start: Nanoseconds
  /// The time of the end, if there is one.
  var end = UInt64.max
  var site: KnownSite
  /// The first run of consecutive elements, for `PeakRate`.
  var firstRun = PeakRate.Run()
  private let firstFileAndOffset: UInt64
  private var firstLine: UInt32
  /// The line of the most detailed record about the beginning.
  var birthLine: UInt32 = 0
  let id: ShortNumber
  var parent = ShortNumber.zero
  var cause = ShortNumber.zero
  var scope = ShortNumber.zero
  /// The number of the thread on which the subscription was made; 0 if it is not known.
  var thread: UInt32 = 0
  /// The index of the place where the subscription was observed, in the table of its log.
  var observed = ObservedTable.nowhere
  private var elsewhereLine: UInt32 = 0
  private var elsewhereFile: UInt16 = 0

  init(
    _ id: SubscriptionID, _ site: KnownSite, _ time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    self.id = ShortNumber(id.number)
    self.site = site
    start = time
    firstFileAndOffset = location.fileAndOffset
    firstLine = location.shortLine
  }

  /// The location of the first record, without its length.
  var firstLocation: TraceRecord.Location {
    TraceRecord.Location(fileAndOffset: firstFileAndOffset, line: firstLine)
  }

  /// The file and the line of the first element that was delivered on a thread other than the main
  /// thread.
  var elsewhere: (file: Int, line: Int) { (Int(elsewhereFile), Int(elsewhereLine)) }

  mutating func noteElsewhere(_ location: TraceRecord.Location) {
    elsewhereLine = location.shortLine
    elsewhereFile = UInt16(clamping: location.file)
  }

  /// Takes over the first element off the main thread from the following part.
  mutating func takeElsewhere(of next: Origin) {
    elsewhereLine = next.elsewhereLine
    elsewhereFile = next.elsewhereFile
  }

  /// Reports whether a beginning is a copy of this one.
  func isBegun(like other: Origin) -> Bool {
    start == other.start && site.site === other.site.site && parent == other.parent
      && cause == other.cause && scope == other.scope && thread == other.thread
  }

  /// Takes the beginning from another part of the log.
  mutating func takeBeginning(of other: Origin) {
    site = other.site
    birthLine = other.birthLine
    start = other.start
    parent = other.parent
    cause = other.cause
    scope = other.scope
    thread = other.thread
    observed = other.observed
  }

  /// Takes over what the subscription continues for, and where that was observed.
  mutating func takeOwner(of other: Origin) {
    parent = other.parent
    observed = other.observed
  }

  mutating func move(byLines lines: Int) {
    firstLine = UInt32(clamping: Int(firstLine) + lines)
    birthLine = UInt32(clamping: Int(birthLine) + lines)
    elsewhereLine = UInt32(clamping: Int(elsewhereLine) + lines)
  }
}
