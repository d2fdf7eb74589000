/// An object of the healthy programs.
final class Item: Hashable, @unchecked Sendable {
  var number = 0
  var next: Item?
  var action: (() -> Void)?
  var link: AnyObject?

  init(number: Int = 0, next: Item? = nil) {
    self.number = number
    self.next = next
    Life.begin(self, "Item")
  }
  deinit { Life.end("Item") }

  @inline(never)
  func use() { number += 1 }

  static func == (one: Item, other: Item) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Item {
  /// Returns a raw pointer that owns a retain count.
  static func makeRaw() -> UnsafeMutableRawPointer { Unmanaged.passRetained(Item()).toOpaque() }

  /// Returns the address of an object that retains itself.
  static func makeSelfRetaining() -> UnsafeMutableRawPointer {
    let item = Item()
    item.next = item
    return Unmanaged.passUnretained(item).toOpaque()
  }
}
