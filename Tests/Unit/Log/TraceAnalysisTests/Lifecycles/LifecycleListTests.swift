import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("LifecycleList")
struct LifecycleListTests {
  private func lifecycle(_ number: UInt64) -> Lifecycle {
    Lifecycle(
      SubscriptionID(known: number), KnownSite(lane: "lane \(number % 3)"), .subscribe,
      Nanoseconds(number), TraceRecord.Location(line: Int(number % 1000), offset: 7, length: 3))
  }

  private func list(_ count: UInt64) -> LifecycleList {
    var list = LifecycleList()
    for number in 0..<count { list.append(lifecycle(number + 1)) }
    return list
  }

  @Test(
    "A lifecycle list keeps its contents while it grows",
    arguments: [0, 1, 203, 204, 205, 5000, 20_000])
  func growing(count: UInt64) {
    let list = list(count)
    #expect(list.count == Int(count))
    #expect(list.map(\.id.number) == Array(0..<count).map { $0 + 1 })
    #expect(list.allSatisfy { $0.start.count == $0.id.number })
    #expect(list.allSatisfy { $0.site.lane == "lane \($0.id.number % 3)" })
  }

  @Test("A lifecycle list that takes the memory of another one has only its own contents")
  func spareMemory() {
    SparePages.begin()
    defer { SparePages.end() }
    for count in [20_000, 1, 30_000, 203, 0, 204] as [UInt64] {
      var list = list(count)
      #expect(list.count == Int(count))
      #expect(list.map(\.id.number) == Array(0..<count).map { $0 + 1 })
      #expect(list.allSatisfy { $0.isActive && $0.elements == 0 && $0.start.count == $0.id.number })
      let copy = list
      for index in list.indices { list.add(element("x", at: 9), at: index) }
      #expect(copy.allSatisfy { $0.elements == 0 })
    }
  }

  @Test("Blocks of memory are found by their size")
  func blocks() {
    SparePages.begin()
    defer { SparePages.end() }
    for count in [1, 1 << 19] {
      do { _ = GrowingColumn<UInt64>(capacity: count) }
      // Another test that reads a log at the same time may take the block.
      let block = SparePages.take(atLeast: 8 * count)
      #expect(block?.size ?? .max >= 8 * count)
      #expect(SparePages.take(atLeast: .max) == nil)
      if let block { SparePages.give(block) }
    }
  }

  @Test("Large blocks of memory aren't kept")
  func largeBlocks() {
    SparePages.begin()
    defer { SparePages.end() }
    let size = 16 << 20
    do { _ = GrowingColumn<UInt64>(capacity: size / 8) }
    #expect(SparePages.take(atLeast: size) == nil)
  }

  @Test("Changing a lifecycle list doesn't change its copies")
  func copies() {
    var list = list(300)
    let copy = list
    list[5].inheritLifetime()
    list.append(lifecycle(400))
    let other = list
    list.add(element("x", at: 9), at: 5)
    #expect(copy.count == 300)
    #expect(!copy[5].livesUntilExit)
    #expect(other[5].livesUntilExit)
    #expect(other[5].elements == 0)
    #expect(list[5].elements == 1)
    #expect(list.last?.id.number == 400)
  }

  @Test("Lifecycle lists are joined in their order")
  func joining() {
    var whole = LifecycleList()
    whole.append(contentsOf: list(3))
    whole.append(contentsOf: LifecycleList())
    whole.append(contentsOf: list(1000))
    #expect(whole.map(\.id.number) == [1, 2, 3] + Array(1...1000))
  }

  @Test("A lifecycle takes at most two and a quarter cache lines")
  func sizes() {
    #expect(MemoryLayout<Activity>.stride == 64)
    #expect(MemoryLayout<Origin>.stride == 80)
  }

  private func element(_ text: StaticString, at time: UInt64) -> Activity.Element {
    let raw = RawText(start: text.utf8Start, count: text.utf8CodeUnitCount, isEscaped: false)
    let moment = TraceRecord.Moment(
      id: SubscriptionID(known: 1), lane: nil, text: raw, truncated: nil, thread: 2)
    return Activity.Element(
      moment, Nanoseconds(time), TraceRecord.Location(line: 1, offset: 0, length: 1))
  }

  @Test(
    "A short number can represent numbers of any size",
    arguments: [0, 1, 2_147_483_647, 2_147_483_648, .max])
  func numbers(number: UInt64) {
    #expect(ShortNumber(number).number == number)
    #expect(ShortNumber(number) == ShortNumber(number))
    #expect(ShortNumber(number) != ShortNumber(number ^ 1))
  }
}
