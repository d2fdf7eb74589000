import Testing

@testable import TraceAnalysis

@Suite("partitionPoint(where:)")
struct PartitionPointTests {
  @Test(
    "partitionPoint finds the first element that meets a condition, in collections of every size")
  func finds() {
    for count in 0..<20 {
      let numbers = Array(0..<count)
      for limit in -1...count + 1 {
        #expect(numbers.partitionPoint { $0 >= limit } == min(max(limit, 0), count))
      }
    }
  }

  @Test("partitionPoint returns an index of the collection, even for a slice")
  func slices() {
    let numbers = [1, 1, 2, 3, 3, 3, 7]
    #expect(numbers[2..<5].partitionPoint { $0 >= 3 } == 3)
    #expect(numbers[2..<5].partitionPoint { $0 > 3 } == 5)
    #expect((4..<6).partitionPoint { numbers[$0] > 1 } == 4)
    #expect((3..<3).partitionPoint { _ in true } == 3)
  }
}
