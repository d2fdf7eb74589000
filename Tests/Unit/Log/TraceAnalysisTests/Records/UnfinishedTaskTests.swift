import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Records of tasks")
struct UnfinishedTaskTests {
  private func parse(_ text: String) throws -> TraceRecord.Task? {
    var parser = RecordParser()
    return try Array(text.utf8).withUnsafeBufferPointer { bytes in
      guard case .task(let task) = try parser.parse(bytes).body else { return nil }
      // The strings of the beginning point into the bytes.
      #expect(task.beginning.op == .task)
      return task
    }
  }

  @Test("All facts of a record are read")
  func all() throws {
    let text = """
      {"t":5,"event":"task","sub":3,"lane":"load","source":"App/A.swift:4","function":"load()",\
      "parent":2,"task":7,"name":"loader","priority":25,"state":"waiting","wait":"continuation",\
      "pause":"stream","awaits":[{"sub":8},{"sub":9}],"canceled":200,"reach":"itself",\
      "proof":"certain","calls":[{"name":"next()","at":"App/B.swift:5"},{"name":"load()"}]}
      """
    let task = try #require(try parse(text))
    #expect(task.beginning.id == SubscriptionID(3))
    #expect(task.beginning.parent == SubscriptionID(2))
    var expected = UnfinishedTask(
      number: 7, name: "loader", priority: 25, state: .waiting, wait: .continuation)
    expected.pause = .stream
    expected.awaited = [SubscriptionID(known: 8), SubscriptionID(known: 9)]
    expected.canceled = 200
    expected.reach = .itself
    expected.isCertain = true
    expected.calls = [
      .init(function: "next()", source: "App/B.swift:5"), .init(function: "load()", source: nil),
    ]
    #expect(task.facts == expected)
  }

  @Test("Words of a later version count as unknown, and a missing proof as none")
  func later() throws {
    let text = """
      {"t":5,"event":"task","sub":3,"lane":"load","task":7,"priority":25,"state":"frozen",\
      "wait":"lock","reach":"unclear","awaits":[1],"calls":"none"}
      """
    let task = try #require(try parse(text))
    #expect(task.facts == UnfinishedTask(number: 7, priority: 25, state: .suspended))
  }

  @Test("A record without the number of its task or its subscription is incomplete")
  func incomplete() {
    #expect(throws: LineFault.incomplete) {
      try parse(#"{"t":5,"event":"task","sub":3,"state":"waiting"}"#)
    }
    #expect(throws: LineFault.incomplete) {
      try parse(#"{"t":5,"event":"task","task":3,"state":"waiting"}"#)
    }
  }
}
