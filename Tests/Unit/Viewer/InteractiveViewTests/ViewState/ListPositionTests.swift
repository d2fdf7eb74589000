import TestSupport
import Testing

@testable import InteractiveView

@Suite("ListPosition")
struct ListPositionTests {
  @Test("The selected line stays in view for any length and height of the list")
  func listPosition() {
    var random = FixedNumbers(seed: 3)
    var list = ListPosition()
    for _ in 0..<3_000 {
      let count = Int.random(in: 0...40, using: &random)
      let height = Int.random(in: 1...12, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: list.go(to: Int.random(in: -5...50, using: &random), count: count, height: height)
      case 1: list.scroll(count: count, height: height)
      default: list.move(by: Int.random(in: -9...9, using: &random), count: count, height: height)
      }
      #expect(list.row >= 0 && list.row < max(1, count))
      #expect(list.first <= list.row && list.row < list.first + height)
      #expect(list.first == 0 || list.first + height <= count)
    }
    list.move(by: 1_000_000_000, count: 10, height: 3)
    #expect(list.row == 9 && list.first == 7)
  }
}
