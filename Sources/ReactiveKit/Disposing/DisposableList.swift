/// A list of disposables that forgets those already disposed, so that a bag that lives long does not grow with every
/// observation that ever ended. Adding takes constant time, averaged over many.
///
/// Its owner keeps it behind a lock and does the forgetting: whether a disposable is disposed is asked of code of a user,
/// which must not run under the lock, and neither must what a disposable does when it is freed.
struct DisposableList {
  private var items: [any Disposable] = []
  private var sweepsAt = 16
  // Counts how often the list was emptied.
  private var generation = 0

  /// The list as it was when it had grown enough to be swept.
  struct Sweep {
    fileprivate let items: [any Disposable]
    fileprivate let generation: Int

    /// Asks each disposable, without the lock.
    func findDisposed() -> [Bool] {
      items.map(\.isDisposed)
    }
  }

  var isEmpty: Bool { items.isEmpty }

  /// Adds a disposable; what is returned, if anything, the owner asks for the disposed and gives to `remove`.
  mutating func add(_ disposable: any Disposable) -> Sweep? {
    defer { items.append(disposable) }
    guard items.count >= sweepsAt else { return nil }
    // One sweep at a time.
    sweepsAt = .max
    return Sweep(items: items, generation: generation)
  }

  /// Forgets the disposed ones of a sweep. The caller holds them, so none is freed here.
  mutating func remove(_ isDisposed: [Bool], of sweep: Sweep) {
    guard sweep.generation == generation else { return }
    var kept = zip(items, isDisposed).filter { !$0.1 }.map(\.0)
    kept += items[isDisposed.count...]
    items = kept
    sweepsAt = max(16, items.count * 2)
  }

  mutating func takeAll() -> [any Disposable] {
    sweepsAt = 16
    generation += 1
    defer { items = [] }
    return items
  }
}
