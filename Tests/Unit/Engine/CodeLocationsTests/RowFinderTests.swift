import Testing

@testable import CodeLocations

@Suite("Rows of line tables")
struct RowFinderTests {
  private func row(_ address: UInt, _ line: Int) -> LineProgram.Row {
    LineProgram.Row(address: address, line: line)
  }

  @Test("A row applies to all addresses until the next one, and none after its end")
  func ranges() {
    var finder = RowFinder([0x0F, 0x10, 0x1F, 0x20, 0x30])
    finder.beginUnit()
    finder.note(row(0x10, 1), isEnd: false, in: 7)
    finder.note(row(0x20, 2), isEnd: false, in: 7)
    finder.note(row(0x30, 0), isEnd: true, in: 7)
    #expect(finder.rows.map { $0?.row.line } == [nil, 1, 1, 2, nil])
    #expect(finder.rows[1]?.unit == 7)
  }

  @Test("A unit that begins at a lower address than the end of the previous one is searched")
  func units() {
    var finder = RowFinder([0x10, 0x20])
    finder.beginUnit()
    finder.note(row(0x20, 2), isEnd: false, in: 0)
    finder.note(row(0x28, 0), isEnd: true, in: 0)
    finder.beginUnit()
    finder.note(row(0x10, 1), isEnd: false, in: 1)
    finder.note(row(0x18, 0), isEnd: true, in: 1)
    #expect(finder.rows.map { $0?.row.line } == [1, 2])
    #expect(finder.rows.map { $0?.unit } == [1, 0])
  }

  @Test("A unit that is cut off has no row for the addresses after its last one")
  func cutUnit() {
    var finder = RowFinder([0x10, 0x20])
    finder.beginUnit()
    finder.note(row(0x10, 1), isEnd: false, in: 0)
    finder.beginUnit()
    finder.note(row(0x30, 3), isEnd: false, in: 1)
    #expect(finder.rows.allSatisfy { $0 == nil })
  }
}
