/// A first-in, first-out queue. Adding and removing elements takes amortized constant time.
@frozen @usableFromInline
package struct FIFO<Element> {
  @usableFromInline var items: ContiguousArray<Element?> = []
  @usableFromInline var head = 0

  /// Creates an empty queue, which allocates nothing until the first `append`.
  @inlinable
  package init() {}

  @inlinable
  package var isEmpty: Bool { head == items.count }

  @inlinable
  package var count: Int { items.count - head }

  @inlinable
  package mutating func append(_ element: Element) {
    items.append(element)
  }

  /// Removes and returns the oldest element.
  @inlinable
  package mutating func popFirst() -> Element? {
    guard head < items.count else { return nil }
    let element = items[head].take()
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: items.capacity <= 64)
      head = 0
    } else if head >= 64, head * 2 >= items.count {
      items.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Calls `body` for each element, oldest first, until it returns false.
  @inlinable
  package func forEach(while body: (Element) -> Bool) {
    // A slice is retained once for all elements. Subscripts would retain once for each element.
    for case let element? in items[head...] where !body(element) { return }
  }

  /// Removes all elements and frees their memory.
  @inlinable
  package mutating func removeAll() {
    items = []
    head = 0
  }
}
