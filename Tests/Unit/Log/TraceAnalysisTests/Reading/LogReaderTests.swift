import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("LogReader")
struct LogReaderTests {
  private let mark = #"{"t":1,"event":"mark","name":"m"}"#

  @Test(
    "The size of the buffer doesn't affect how a log is read",
    arguments: [1, 2, 7, 64, 4096])
  func bufferSizes(size: Int) {
    let whole = readLines(Array(SampleLog.leak.utf8), bufferSize: 1 << 20)
    let pieces = readLines(Array(SampleLog.leak.utf8), bufferSize: size)
    #expect(pieces.notes == whole.notes)
    #expect(pieces.tally == whole.tally)
    #expect(whole.notes.count == 10)
    #expect(whole.damage == Damage())
  }

  @Test("Placeholders in the header aren't values")
  func placeholders() {
    #expect(readLines(SampleLog.header).notes == ["0 trace search-sample 4242"])
    let bare = #"{"t":0,"event":"trace","version":1,"process":"-","pid":0,"host":"-"}"#
    #expect(readLines(bare).notes == ["0 trace nil 0"])
  }

  @Test("Blank lines, CR, a byte-order mark and NUL bytes are skipped")
  func padding() {
    let text = "\u{FEFF}\(mark)\r\n\n \t\r\n\0\0\0\(mark)\0\0\n\0\0\0\0\n\n\n"
    let read = readLines(text)
    #expect(read.notes == ["1 mark m", "1 mark m"])
    #expect(read.damage == Damage())
  }

  @Test("Each record has its line, offset and length")
  func locations() {
    let read = readLines("\n\(mark)\n  \(mark)\r\n")
    #expect(read.locations.map(\.line) == [2, 3])
    #expect(read.locations.map(\.offset) == [1, 1 + mark.utf8.count + 3])
    #expect(read.locations.map(\.length) == [mark.utf8.count, mark.utf8.count])
  }

  @Test("Damage is counted by kind, with the first line of each kind")
  func damage() {
    let read = readLines("\(mark)\nnonsense\n{}\n\(mark)\n{}\nmore\n")
    #expect(read.damage[.malformed] == Damage.Tally(count: 2, firstLine: 2))
    #expect(read.damage[.incomplete] == Damage.Tally(count: 2, firstLine: 3))
    #expect(read.damage.skippedLines == 4)
    #expect(read.tally.records == 2)
  }

  @Test("A last line that stops in the middle is torn, even before padding")
  func torn() {
    for ending in ["", "\n", "\n\n\n\n", "\0\0"] {
      let read = readLines("\(mark)\n{\"t\":12,\"ev\(ending)")
      #expect(read.damage[.torn] == Damage.Tally(count: 1, firstLine: 2))
      #expect(read.damage.skippedLines == 0)
    }
    let read = readLines("{\"t\":12,\"ev\n\(mark)\n")
    #expect(read.damage[.torn] == nil)
    #expect(read.damage.count(.malformed) == 1)
  }

  @Test("A log that is cut at any byte is torn unless the cut is between lines")
  func everyTruncation() {
    let bytes = Array(SampleLog.leak.utf8)
    for length in 0...bytes.count {
      let prefix = Array(bytes[..<length])
      let read = readLines(prefix, bufferSize: 4096)
      // A cut right before or after a newline leaves whole lines.
      let isWhole =
        length == 0 || prefix.last == 0x0A || (length < bytes.count && bytes[length] == 0x0A)
      #expect(read.damage.count(.torn) == (isWhole ? 0 : 1), "\(length)")
      #expect(read.damage.skippedLines == 0, "\(length)")
    }
  }

  @Test(
    "Reading random bytes doesn't crash or count a line twice",
    arguments: 0..<20)
  func mutations(seed: UInt64) {
    var numbers = FixedNumbers(seed: seed)
    let original = Array(SampleLog.leak.utf8)
    for _ in 0..<50 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...8, using: &numbers) {
        let index = Int.random(in: 0..<bytes.count, using: &numbers)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &numbers)
        case 1: bytes.remove(at: index)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &numbers)], at: index)
        }
      }
      let read = readLines(bytes, bufferSize: 512)
      let damage = read.damage
      #expect(read.tally.records + damage.skippedLines + damage.count(.torn) <= read.tally.lines)
      _ = try? LogAnalysis.read(LogSource(name: "test.jsonl", bytes: bytes))
    }
  }

  @Test("A line that is too long is skipped, and reading continues after it")
  func longLine() {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: LogReader.maxLineLength + 10)
    let bytes = Array("\(mark)\n".utf8) + long + Array("\n\(mark)\n".utf8)
    let read = readLines(bytes, bufferSize: 1 << 20)
    #expect(read.notes == ["1 mark m", "1 mark m"])
    #expect(read.damage[.tooLong] == Damage.Tally(count: 1, firstLine: 2))
    #expect(read.locations.last?.line == 3)
  }

  @Test("An unfinished line is malformed, even before a line that is too long")
  func cutBeforeLongLine() {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: LogReader.maxLineLength + 10)
    let read = readLines(Array("\(mark)\n{\"t\":12,\"ev\n".utf8) + long, bufferSize: 1 << 20)
    #expect(read.damage[.malformed] == Damage.Tally(count: 1, firstLine: 2))
    #expect(read.damage[.tooLong] == Damage.Tally(count: 1, firstLine: 3))
    #expect(read.damage[.torn] == nil)
  }
}
