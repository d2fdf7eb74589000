import Testing

@testable import InteractiveView
@testable import TraceAnalysis

@Suite("LogProgress")
struct LogProgressTests {
  private let start = ContinuousClock.Instant.now

  private func reading(_ progress: LogProgress) -> ReadingState {
    progress.reading(.empty)
  }

  @Test("A log that doesn't grow is read until it is complete, then its files are watched")
  func complete() {
    var progress = LogProgress(follows: false)
    let first = progress.take(.records(total: 10, isComplete: false), isGone: false, at: start)
    #expect(first == .init(update: .show, next: .read))
    #expect(!reading(progress).isComplete)
    let last = progress.take(.records(total: 20, isComplete: true), isGone: false, at: start)
    #expect(last == .init(update: .show, next: .watch))
    #expect(reading(progress) == ReadingState(isComplete: true))
  }

  @Test("A log that has nothing more to read is complete")
  func nothing() {
    var progress = LogProgress(follows: false)
    let action = progress.take(.nothing, isGone: false, at: start)
    #expect(action == .init(update: .nothing, next: .watch))
    #expect(reading(progress).isComplete)
  }

  @Test("A problem stops reading a log that doesn't grow, and stays visible after a change")
  func failure() {
    var progress = LogProgress(follows: false)
    let action = progress.take(.failure("a: unreadable"), isGone: false, at: start)
    #expect(action == .init(update: .show, next: .watch))
    #expect(reading(progress) == ReadingState(isComplete: true, problem: "a: unreadable"))
    progress.change("a: changed")
    #expect(
      reading(progress)
        == ReadingState(isComplete: true, problem: "a: unreadable", change: "a: changed"))
  }

  @Test("A problem with a followed log is shown once, and the next records clear it")
  func solvedProblem() {
    var progress = LogProgress(follows: true)
    let new = progress.take(.failure("a: missing"), isGone: false, at: start)
    #expect(new == .init(update: .show, next: .retry))
    let known = progress.take(.failure("a: missing"), isGone: false, at: start)
    #expect(known == .init(update: .nothing, next: .retry))
    let other = progress.take(.failure("a: unreadable"), isGone: false, at: start)
    #expect(other == .init(update: .show, next: .retry))
    #expect(reading(progress).problem == "a: unreadable")
    _ = progress.take(.nothing, isGone: false, at: start)
    #expect(reading(progress).problem == "a: unreadable")
    let records = progress.take(.records(total: 1, isComplete: true), isGone: false, at: start)
    #expect(records == .init(update: .show, next: .read))
    #expect(reading(progress) == ReadingState(follows: true))
  }

  @Test("A followed log reports once when its file loses or regains its name")
  func gone() {
    var progress = LogProgress(follows: true)
    #expect(progress.take(.nothing, isGone: false, at: start).update == .nothing)
    #expect(progress.take(.nothing, isGone: true, at: start).update == .report)
    #expect(progress.take(.nothing, isGone: true, at: start).update == .nothing)
    #expect(reading(progress).isGone)
    // A failed attempt doesn't show whether the file still has its name.
    _ = progress.take(.failure("a: unreadable"), isGone: false, at: start)
    #expect(reading(progress).isGone)
    #expect(progress.take(.nothing, isGone: false, at: start).update == .report)
    #expect(!reading(progress).isGone)
  }

  @Test("A followed log reports a changed rate, even if no records arrive")
  func rate() {
    var progress = LogProgress(follows: true)
    _ = progress.take(.records(total: 0, isComplete: false), isGone: false, at: start)
    let later = start + .seconds(1)
    _ = progress.take(.records(total: 100, isComplete: false), isGone: false, at: later)
    #expect(reading(progress).rate == 100)
    let idle = progress.take(.nothing, isGone: false, at: later + .milliseconds(500))
    #expect(idle == .init(update: .nothing, next: .retry))
    let action = progress.take(.nothing, isGone: false, at: later + .seconds(1))
    #expect(action == .init(update: .report, next: .retry))
    #expect(reading(progress).rate == 0)
  }
}
