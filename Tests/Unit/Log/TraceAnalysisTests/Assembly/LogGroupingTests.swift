import TestSupport
import Testing

@testable import TraceAnalysis

@Suite("LogGrouping")
struct LogGroupingTests {
  /// Returns the analysis of files, each of which contains one part of a log.
  private func read(_ texts: [String]) throws -> LogAnalysis {
    try LogAnalysis.read(
      texts.enumerated().map { LogSource(name: "\($0).jsonl", bytes: Array($1.utf8)) }
    ).analysis
  }

  /// Returns a part that contains some marks and doesn't have an end.
  private func part(_ segment: Int, marks: Int, version: Int? = nil) -> String {
    var header = SampleLog.header.dropLast() + #","segment":\#(segment)}"#
    if let version { header = header.replacing(#""version":1"#, with: #""version":\#(version)"#) }
    let mark = #"{"t":1,"event":"mark","name":"m"}"#
    return ([String(header)] + Array(repeating: mark, count: marks)).map { $0 + "\n" }.joined()
  }

  @Test("The longest copy of a part belongs to the log, regardless of the order of the files")
  func copies() throws {
    let (short, long) = (part(1, marks: 1), part(1, marks: 3))
    for texts in [[short, long, short], [long, short, short], [short, short, long]] {
      let log = try read(texts)
      #expect(log.logs.map(\.records) == [4])
      #expect(log.sections.map(\.log) == texts.map { $0 == long ? 0 : nil })
      #expect(
        log.sections.map { $0.damage.count(.repeated) } == texts.map { $0 == long ? 0 : 1 })
    }
  }

  @Test("If two copies of a part are equal, the first one belongs to the log")
  func equalCopies() throws {
    let log = try read([part(1, marks: 2), part(1, marks: 2)])
    #expect(log.sections.map(\.log) == [0, nil])
  }

  @Test("Only the parts after the last gap belong to a log")
  func gaps() throws {
    let parts = [7, 1, 4, 2, 6].map { part($0, marks: $0) }
    let log = try read(parts)
    #expect(log.logs.map(\.names) == [["4.jsonl", "0.jsonl"]])
    #expect(log.logs.map(\.records) == [7 + 8])
    #expect(log.logs.map(\.hasBeginning) == [false])
    #expect(log.sections.map(\.log) == [0, nil, nil, nil, 0])
    #expect(log.sections.map { $0.damage.count(.beforeGap) } == [0, 1, 1, 1, 0])
  }

  @Test("A part without a header is a log of its own")
  func noHeader() throws {
    let mark = #"{"t":1,"event":"mark","name":"m"}"# + "\n"
    let log = try read([mark, part(1, marks: 1), mark])
    #expect(log.sections.map(\.log) == [0, 1, 2])
    #expect(log.sections.map { $0.damage.count(.missingHeader) } == [1, 0, 1])
    #expect(log.marks.map(\.log) == [0, 1, 2])
  }

  @Test("A part of a newer version doesn't belong to a log, and isn't damage")
  func newerVersion() throws {
    let log = try read([part(1, marks: 1), part(2, marks: 1, version: 1_000)])
    #expect(log.logs.map(\.records) == [2])
    #expect(log.sections.map(\.log) == [0, nil])
    #expect(log.damage == Damage())
  }
}
