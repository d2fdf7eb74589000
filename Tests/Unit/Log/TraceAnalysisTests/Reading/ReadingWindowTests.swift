import Testing

@testable import TraceAnalysis

@Suite("ReadingWindow")
struct ReadingWindowTests {
  @Test("A window of a whole file begins with a line")
  func wholeFile() {
    let window = ReadingWindow(0..<10)
    #expect(window.phase == .readingLines)
    #expect(window.start == 0)
    #expect(window.limit == 10)
  }

  @Test("A window of a later range begins at the byte before it, in a line that isn't read")
  func laterRange() {
    let window = ReadingWindow(5..<10)
    #expect(window.phase == .skippingLine)
    #expect(window.start == 4)
  }

  @Test("A window of an empty range is finished", arguments: [0..<0, 7..<7])
  func empty(range: Range<Int>) {
    var window = ReadingWindow(range)
    #expect(window.phase == .finished)
    #expect(window.takeProgress() == 0)
    #expect(window.unreported == 0)
  }

  @Test("Lines are read until one begins at the limit")
  func limit() {
    var window = ReadingWindow(0..<10)
    window.append(12)
    window.beginLine(at: 4)
    #expect(window.phase == .readingLines)
    window.removeFirst(4)
    #expect(window.start == 4)
    #expect(window.count == 8)
    window.beginLine(at: 5)
    #expect(window.phase == .readingLines)
    window.beginLine(at: 6)
    #expect(window.phase == .finished)
  }

  @Test("Skipping stops at the start of a line or at the limit")
  func skipping() {
    var window = ReadingWindow(5..<20)
    window.append(8)
    window.skip()
    #expect(window.phase == .skippingLine)
    #expect(window.start == 12)
    #expect(window.count == 0)
    window.append(4)
    window.beginLine(at: 2)
    #expect(window.phase == .readingLines)
    // A line that is too long is skipped, too.
    window.skip()
    #expect(window.phase == .skippingLine)
    window.append(4)
    window.skip()
    #expect(window.phase == .finished)
  }

  @Test("A line that begins at the limit isn't read after a skipped line")
  func skippedToLimit() {
    var window = ReadingWindow(5..<8)
    window.append(10)
    window.beginLine(at: 4)
    #expect(window.phase == .finished)
  }

  @Test("Progress counts each byte of the range once")
  func progress() {
    var window = ReadingWindow(5..<20)
    window.append(1)
    #expect(window.takeProgress() == 0)
    window.append(6)
    #expect(window.takeProgress() == 6)
    #expect(window.takeProgress() == 0)
    #expect(window.unreported == 9)
    window.append(30)
    #expect(window.takeProgress() == 9)
    #expect(window.unreported == 0)
  }
}
