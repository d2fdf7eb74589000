/// A buffer for the latest elements of a subject, at most `limit` of them.
@frozen @usableFromInline
struct ReplayBuffer<Element> {
  @usableFromInline let limit: Int
  // Most buffers hold one element (properties), which needs no queue.
  @usableFromInline var single: Element?
  @usableFromInline var many = FIFO<Element>()

  @inlinable
  init(limit: Int) {
    self.limit = limit
  }

  @inlinable
  var isEmpty: Bool { single == nil && many.isEmpty }

  /// Adds an element and returns the evicted one, so that it is freed without a lock.
  @inlinable
  mutating func append(_ element: Element) -> Element? {
    switch limit {
    case 0: return nil
    case 1:
      let evicted = single
      single = element
      return evicted
    default:
      many.append(element)
      return many.count > limit ? many.popFirst() : nil
    }
  }

  /// Calls `body` for each element, oldest first, until it returns false.
  @inlinable
  func forEach(while body: (Element) -> Bool) {
    if let single {
      _ = body(single)
    } else {
      many.forEach(while: body)
    }
  }
}
