import Testing

/// The code in a cell of the page "Coming from Combine".
struct Cell<Cells> {
  let line: Int
  /// Whether the page says that nothing differs.
  let isEqual: Bool
  let run: (Cells) -> [String]

  init(_ line: Int, isEqual: Bool, run: @escaping (Cells) -> [String]) {
    self.line = line
    self.isEqual = isEqual
    self.run = run
  }
}

/// What the streams of the cells send.
struct CellInput {
  let x: [Int]
  let y: [Int]
  /// Whether the stream `e` fails after its elements.
  let fails: Bool

  static let all = [
    CellInput(x: [1, 2, 3], y: [4, 5], fails: false),
    CellInput(x: [3, 1, 1, 7, 0, 2], y: [4], fails: true),
    CellInput(x: [0, 1, 2, 3, 4], y: [], fails: false), CellInput(x: [], y: [6], fails: true),
  ]
}

struct CellError: Error {}
struct LoadError: Error {
  init(_ error: any Error) {}
}

func parse(_ number: Int) throws -> Int { if number == 7 { throw CellError() } else { number * 2 } }
func find(_ number: Int) throws -> Int? { number > 1 ? try parse(number) : nil }
func isValid(_ number: Int) throws -> Bool { try parse(number) > 2 }
func add(_ sum: Int, _ number: Int) throws -> Int { sum + (try parse(number)) }
func areEqual(_ old: Int, _ new: Int) throws -> Bool { try parse(old) == parse(new) }
func isLess(_ old: Int, _ new: Int) -> Bool { old < new }

@Suite("The tables of the page Coming from Combine")
struct CellTests {
  @Test("Operators of OpenCombine and their counterparts send the same, unless the page differs")
  func sameEvents() {
    #expect(PublisherCells.all.map(\.line) == SignalCells.all.map(\.line))
    for (theirs, ours) in zip(PublisherCells.all, SignalCells.all) {
      let results = CellInput.all.map {
        (theirs.run(PublisherCells($0)), ours.run(SignalCells($0)))
      }
      if theirs.isEqual {
        for (expected, result) in results {
          #expect(result == expected, "ComingFromCombine.md:\(theirs.line)")
        }
      } else {
        #expect(results.contains { $0 == $1 }, "ComingFromCombine.md:\(theirs.line)")
      }
    }
  }
}
