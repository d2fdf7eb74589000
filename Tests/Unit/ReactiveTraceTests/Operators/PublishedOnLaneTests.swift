import ReactiveKit
import Testing

@testable import ReactiveTrace

private final class Search: ReactiveKit.ObservableObject {
  @PublishedOnLane("search.query") var query = ""
  @PublishedOnLane var limit = 10
}

extension ProcessLogTests {
  @Suite("PublishedOnLane")
  struct PublishedOnLaneTests {
    @Test("PublishedOnLane traces its projected signal")
    func projected() throws {
      let log = try ProcessLog()
      let search = Search()
      var seen: [String] = []
      let disposable = search.$query.observeNext { seen.append($0) }
      search.query = "swift"
      disposable.dispose()
      #expect(seen == ["", "swift"])
      #expect(log.story == ["1 subscribe", "1 next ", "1 next swift", "1 disposed"])
      #expect(try log.subscribe("search.query").source?.contains("PublishedOnLaneTests") == true)
    }

    @Test("A PublishedOnLane property without a name is named after its declaration")
    func nameless() throws {
      let log = try ProcessLog()
      Search().$limit.observe { _ in }.dispose()
      #expect(log.records.first?.lane?.hasPrefix("ReactiveTraceTests/PublishedOnLaneTests") == true)
    }

    @Test("Changing a PublishedOnLane property sends objectWillChange")
    func announces() {
      let search = Search()
      var count = 0
      let disposable = search.objectWillChange.observeNext { _ in count += 1 }
      search.query = "a"
      search.limit = 3
      #expect(count == 2)
      disposable.dispose()
    }
  }
}
