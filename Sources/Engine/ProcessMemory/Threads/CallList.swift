/// The calls that are missing in a list of calls.
package struct CallGap: Equatable, Sendable {
  /// The number of calls before the missing ones.
  package let index: Int
  /// The number of missing calls.
  package let count: Int

  package init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }
}

/// The calls of a stack: all of them, or the innermost and the outermost ones of a deep recursion.
package struct CallList<Call> {
  private static var maxInnermost: Int { 192 }
  private static var maxOutermost: Int { 64 }
  /// The maximum number of calls to look at. Memory that is overwritten can lead in circles.
  private static var maxCount: Int { 1 << 20 }

  private var innermost: [Call] = []
  /// The last calls after the innermost ones, from an index on.
  private var outermost: [Call] = []
  private var oldest = 0
  private var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }
  package var isFull: Bool { count >= Self.maxCount }

  package mutating func append(_ call: Call) {
    count += 1
    if innermost.count < Self.maxInnermost {
      innermost.append(call)
    } else if outermost.count < Self.maxOutermost {
      outermost.append(call)
    } else {
      outermost[oldest] = call
      oldest = (oldest + 1) % Self.maxOutermost
    }
  }

  /// The calls, innermost first.
  package var calls: [Call] {
    outermost.isEmpty ? innermost : innermost + outermost[oldest...] + outermost[..<oldest]
  }

  /// The calls that are missing in `calls`.
  package var gap: CallGap? {
    let missing = count - innermost.count - outermost.count
    return missing > 0 ? CallGap(index: innermost.count, count: missing) : nil
  }
}
