import Testing

@testable import ReactiveTrace
@testable import SwiftRuntime

private struct Point { var x = 1; var y = "a" }

@Suite("PlanTable")
struct PlanTableTests {
  private static let table = PlanTable(capacity: 16)

  @Test("Types beyond the capacity of the plan table don't get a plan")
  func full() {
    let table = Self.table
    let types: [Any.Type] = [
      Point.self, [Point].self, Point?.self, (Point, Int).self, [String: Point].self, Set<Int>.self,
      [Int8].self, [Int16].self, [Int32].self, [Int64].self, [UInt8].self, [UInt16].self,
    ]
    let planned = types.filter { table.plan(of: Metadata.address(of: $0), wait: true) != nil }
    #expect((4..<types.count).contains(planned.count))
    // Types with a plan keep it, and no other type gets one later.
    #expect(
      types.filter { table.plan(of: Metadata.address(of: $0), wait: true) != nil }.count
        == planned.count)
  }
}
