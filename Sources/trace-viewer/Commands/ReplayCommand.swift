import InteractiveView
import SystemLibrary
import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceReports
import ViewerConsole

/// A replay that prints a line for each event when it is due.
struct PlainReplay {
  private let snapshot: LogSnapshot
  private let excerpt: LogExcerpt
  private let times: TimeRange
  private let speed: ReplaySpeed
  private let skipsGaps: Bool

  /// The number of events that are read at a time.
  private static let batch = 2000

  init(
    _ snapshot: LogSnapshot, _ excerpt: LogExcerpt, _ times: TimeRange, _ speed: ReplaySpeed,
    skipsGaps: Bool
  ) {
    self.snapshot = snapshot
    self.excerpt = excerpt
    self.times = times
    self.speed = speed
    self.skipsGaps = skipsGaps
  }

  func run(_ console: Console) throws(LogError) {
    let reader = EventReader(snapshot)
    let excerpt = excerpt
    let view = ReplayLines(snapshot.analysis, console.page)
    var position = LogEvent.Position(before: times.start)
    var clock = ReplayClock(speed, skipsGaps: skipsGaps)
    while console.out.output.failure == nil {
      let events = try reader.events(
        after: position, maxCount: Self.batch,
        members: excerpt.hasAllSubscriptions ? nil : excerpt.members,
        where: { excerpt.contains($0) })
      for event in events where !times.endsBefore(event.time) {
        if let pause = clock.pause(until: event.time) {
          console.out.output.flush()
          Self.wait(pause)
        }
        console.write([view.line(event)])
      }
      guard let last = events.last, !times.endsBefore(last.time) else { break }
      position = last.position
    }
  }

  private static func wait(_ nanoseconds: UInt64) {
    var time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    var rest = timespec()
    while nanosleep(&time, &rest) != 0, errno == EINTR { time = rest }
  }
}

/// A clock that determines when the next event is due.
struct ReplayClock {
  private let speed: ReplaySpeed
  private let skipsGaps: Bool
  /// The time in the log that was reached at a time of the clock.
  private var reached: (log: Nanoseconds, clock: ContinuousClock.Instant)?

  init(_ speed: ReplaySpeed, skipsGaps: Bool) {
    self.speed = speed
    self.skipsGaps = skipsGaps
  }

  /// Returns the time to wait in nanoseconds, or `nil` for no wait.
  mutating func pause(until time: Nanoseconds, now: ContinuousClock.Instant = .now) -> UInt64? {
    guard speed != .max else { return nil }
    guard let reached else {
      self.reached = (time, now)
      return nil
    }
    let distance = Double(time.since(reached.log).count) / speed.factor
    let passed = reached.clock.duration(to: now) / .nanoseconds(1)
    let pause = distance - passed
    if skipsGaps, pause > Double(Replay.longestGap) {
      self.reached = (time, now)
      return nil
    }
    return pause >= 1 ? UInt64(min(pause, 9e18)) : nil
  }
}

/// A formatter that prints events as lines with aligned values.
struct ReplayLines {
  private let log: LogAnalysis
  private let page: Page
  let laneWidth: Int

  /// Creates a formatter for the events of a log.
  ///
  /// - Parameter minLaneWidth: The minimum width of the column with the lanes.
  init(_ log: LogAnalysis, _ page: Page, minLaneWidth: Int = 0) {
    self.log = log
    self.page = page
    var lanes: [ObjectIdentifier: Int] = [:]
    for lifecycle in log.lifecycles where lanes[ObjectIdentifier(lifecycle.site)] == nil {
      lanes[ObjectIdentifier(lifecycle.site)] = DisplayWidth.columns(
        of: page.safe(lifecycle.site.lane))
    }
    laneWidth = max(minLaneWidth, min((lanes.values.max() ?? 4) + 8, max(12, page.width / 3)))
  }

  func line(_ event: LogEvent) -> Line {
    let text = EventText(log: log, page: page)
    var line = Line(DisplayWidth.padLeft(time(event.time), to: 13) + "  ", .dim)
    var name = ""
    if let index = event.lifecycle {
      let lifecycle = log.lifecycles[index]
      name = page.safe("\(lifecycle.site.lane) \(log.name(of: lifecycle))")
    }
    line.append(DisplayWidth.pad(page.cutMiddle(name, to: laneWidth), to: laneWidth) + "  ")
    let hasMore = event.text != nil || event.thread != nil
    line.append(
      hasMore ? DisplayWidth.pad(event.kind.rawValue, to: 13) : event.kind.rawValue,
      EventText.style(event.kind))
    if let value = event.text { line.append(page.safe(value)) }
    if event.isCut { line.append(page.glyphs.ellipsis, .dim) }
    if let thread = text.thread(event) { line.append("  [\(page.safe(thread))]", .dim) }
    return line
  }

  /// Returns the seconds with six decimals, so that times are easy to compare.
  private func time(_ time: Nanoseconds) -> String {
    let microseconds = time.count / 1000 + (time.count % 1000 < 500 ? 0 : 1)
    return "\(microseconds / 1_000_000).\(String(1_000_000 + microseconds % 1_000_000).dropFirst())"
  }
}

/// The command `trace-viewer replay LOG...`: plays a log in the interactive view or prints it as
/// lines.
enum ReplayCommand {
  /// The options that require line output. The interactive view has keys for them.
  private static let plainOptions: Set<OptionSpec.Name> = [.lane, .from, .until, .strict]

  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let arguments = console.arguments
    let speed = arguments[.speed].flatMap { ReplaySpeed($0) } ?? ReplaySpeed()
    let isPlain =
      arguments.has(.plain) || !arguments.options.isDisjoint(with: plainOptions)
      || speed == .max || !InteractiveCommand.canShow(console)
    guard !isPlain, let keyboard = console.keyboard() else { return try print(console, speed) }
    var replay = Replay(speed: speed, skipsGaps: arguments.has(.skipGaps))
    replay.play()
    return try InteractiveCommand.run(console, keyboard, replay: replay)
  }

  private static func print(_ console: Console, _ speed: ReplaySpeed) throws(UsageError) -> ExitCode
  {
    let filter = try ReportFilter(console.arguments)
    let opened = OpenedSnapshot(LogPaths(console.arguments.operands), console)
    guard opened.isUsable else { return opened.failure ?? .notALog }
    let times = try TimeRange.of(console.arguments, opened.snapshot.analysis)
    let chosen = try filter.filter(of: opened.snapshot.analysis, isWhole: opened.failure == nil)
    do throws(LogError) {
      let excerpt = try chosen.excerpt(of: opened.snapshot.analysis)
      let replay = PlainReplay(
        opened.snapshot, excerpt, times, speed, skipsGaps: console.arguments.has(.skipGaps))
      try replay.run(console)
      return opened.failure ?? .clean
    } catch {
      return OpenedLogs.report(error, console)
    }
  }
}
