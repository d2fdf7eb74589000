import TestSupport
import Testing

@testable import TraceAnalysis

@Suite("Lists of subscriptions")
struct MemberListTests {
  @Test("A list of all subscriptions equals one that lists each")
  func members() {
    let all = MemberList(all: 3)
    #expect(Array(all) == [0, 1, 2])
    #expect(all == MemberList([0, 1, 2]))
    #expect(all != [0, 2])
    #expect(MemberList(all: 0) == [])
    #expect(Array(MemberList([5, 2])) == [5, 2])
  }

  /// The thread sanitizer reports a list that writes to the storage that all empty arrays share.
  @Test("Threads can make empty lists at the same time")
  func emptyLists() {
    onThreads(4) { _ in
      #expect(MemberList([]).isEmpty)
    }
  }
}
