/// Indices of subscriptions in `LogAnalysis.lifecycles`, in 4 bytes each. A list of all of them
/// doesn't take memory.
package struct MemberList: RandomAccessCollection, ExpressibleByArrayLiteral, Equatable, Sendable {
  /// The number of subscriptions, if all are listed; otherwise 0.
  private let all: Int
  private var listed: [UInt32]

  package init(_ members: some Collection<Int>) {
    all = 0
    // The storage of all empty arrays is shared, and this initializer of Array would write to it.
    guard !members.isEmpty else {
      listed = []
      return
    }
    listed = Array(unsafeUninitializedCapacity: members.count) { buffer, count in
      for member in members {
        buffer.initializeElement(at: count, to: UInt32(clamping: member))
        count += 1
      }
    }
  }

  package init(arrayLiteral members: Int...) { self.init(members) }

  /// Creates the list of all indices below a number.
  package init(all count: Int) {
    all = count
    listed = []
  }

  /// Adds an index to a list that was not created with `init(all:)`.
  package mutating func append(_ index: Int) {
    precondition(all == 0, "A list of all indices doesn't grow.")
    listed.append(UInt32(clamping: index))
  }

  /// The same list without much room for more indices. The allocator rounds up to 16 bytes.
  var compact: MemberList { listed.capacity - listed.count < 4 ? self : MemberList(self) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { all + listed.count }

  @inline(__always)
  package subscript(index: Int) -> Int { all > 0 ? index : Int(listed[index]) }

  package static func == (left: MemberList, right: MemberList) -> Bool { left.elementsEqual(right) }
}
