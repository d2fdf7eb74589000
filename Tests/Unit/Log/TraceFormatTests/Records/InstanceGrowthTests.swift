import Testing

@testable import TraceFormat

@Suite("Growing numbers of instances")
struct InstanceGrowthTests {
  /// Returns the growth of a class after repetitions with some numbers of its instances.
  private func growth(_ counts: Int...) -> InstanceGrowth.Growth? {
    var growth = InstanceGrowth()
    for count in counts {
      let classes = [
        LeakedObjects.Class(name: "Shop.Cart", count: count, bytes: 0),
        LeakedObjects.Class(name: "Shop.Item", count: 7, bytes: 0),
      ]
      growth.add(classes.filter { $0.count > 0 })
    }
    #expect(growth.growing["Shop.Item"] == nil)
    return growth.growing["Shop.Cart"]
  }

  @Test("The first repetition only provides the number to compare with")
  func first() {
    #expect(growth(100) == nil)
    #expect(growth(100, 101) == .init(first: 100, last: 101, increases: 1))
    #expect(growth(1, 2, 4, 5) == .init(first: 1, last: 5, increases: 3))
  }

  @Test("A class without instances after the first repetition can grow")
  func none() {
    #expect(growth(0, 1, 2, 3) == .init(first: 0, last: 3, increases: 3))
    #expect(growth(0, 0, 1, 2, 3) == nil)
  }

  @Test("A class that doesn't grow once is never growing again", arguments: [2, 1, 0])
  func pause(count: Int) {
    #expect(growth(1, 2, count, 4, 5, 6) == nil)
  }

  @Test("Several types with one name are one class")
  func sameName() {
    var growth = InstanceGrowth()
    for number in 1...2 {
      growth.add([
        LeakedObjects.Class(name: "A.B", count: number, bytes: 0),
        LeakedObjects.Class(name: "A.B", count: 1, bytes: 0),
      ])
    }
    #expect(growth.growing["A.B"] == .init(first: 2, last: 3, increases: 1))
  }
}
