import Testing

@testable import TraceAnalysis

@Suite("BarCells")
struct BarCellsTests {
  private func bar(
    _ index: Int, _ columns: ClosedRange<Int>, _ state: Lifecycle.State = .completed,
    isSuspect: Bool = false, isCutLeft: Bool = false, isCutRight: Bool = false
  ) -> Timeline.Bar {
    Timeline.Bar(
      index: index, columns: columns, state: state, isSuspect: isSuspect, isCutLeft: isCutLeft,
      isCutRight: isCutRight)
  }

  private func signs(_ bars: [Timeline.Bar], elements: [Int]) -> [BarCells.Sign] {
    var cells = BarCells(columns: elements.count)
    for bar in bars { cells.add(bar) }
    return cells.cells(elements: elements).map(\.sign)
  }

  @Test("Cells of a bar show its start, line, elements and end")
  func bar() {
    #expect(
      signs([bar(0, 1...4)], elements: [0, 0, 3, 0, 1, 0])
        == [.nothing, .start, .elements(3), .line, .end, .nothing])
    #expect(
      signs([bar(0, 0...2, isCutLeft: true, isCutRight: true)], elements: [0, 0, 0])
        == [.line, .line, .line])
    #expect(signs([bar(0, 0...0)], elements: [9]) == [.end])
  }

  @Test("Elements hide the ends of several bars, but not a failure or a suspect")
  func shared() {
    let ends = [bar(0, 0...1), bar(1, 1...1)]
    #expect(signs(ends, elements: [0, 0]) == [.start, .end])
    #expect(signs(ends, elements: [0, 2]) == [.start, .elements(2)])
    #expect(signs(ends + [bar(2, 1...1, .failed)], elements: [0, 2]) == [.start, .end])
    let leak = bar(3, 1...1, .active, isSuspect: true)
    #expect(signs([leak] + ends, elements: [0, 2]) == [.start, .suspect])
  }

  @Test("Each cell refers to the bar that its sign belongs to")
  func owners() {
    var cells = BarCells(columns: 3)
    cells.add(bar(7, 0...1, .failed))
    cells.add(bar(8, 1...1, isCutLeft: true))
    #expect(cells.cells(elements: [0, 1, 1]).map { $0.bar?.index } == [7, 7, nil])
  }
}
