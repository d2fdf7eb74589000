/// A list of disposables that forgets those already disposed, so that a bag that lives long does not grow with every
/// observation that ever ended. Adding takes constant time, averaged over many.
struct DisposableList {
  private var items: [any Disposable] = []
  private var sweepsAt = 16

  var isEmpty: Bool { items.isEmpty }

  mutating func add(_ disposable: any Disposable) {
    if items.count >= sweepsAt {
      items.removeAll { $0.isDisposed }
      sweepsAt = max(16, items.count * 2)
    }
    items.append(disposable)
  }

  mutating func takeAll() -> [any Disposable] {
    sweepsAt = 16
    defer { items = [] }
    return items
  }
}
