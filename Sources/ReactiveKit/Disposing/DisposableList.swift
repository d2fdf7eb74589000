/// A list of disposables that drops the ones already disposed, so that a long-lived bag does not
/// grow with every subscription that ends. Adding takes constant time on average over many calls.
///
/// The owner protects the list with a lock and drops the disposables itself. Checking or freeing a
/// disposable can run user code, which must not run under the lock.
struct DisposableList {
  private var items: [any Disposable] = []
  private var sweepsAt = 16
  // The number of times the list was emptied.
  private var generation = 0

  /// A snapshot of the list, taken when it has grown enough to be swept.
  struct Sweep {
    fileprivate let items: [any Disposable]
    fileprivate let generation: Int

    /// Returns for each disposable whether it is disposed. Call this method without the lock.
    func findDisposed() -> [Bool] {
      items.map(\.isDisposed)
    }
  }

  var isEmpty: Bool { items.isEmpty }

  /// Adds a disposable and returns a sweep if the list needs one. The owner calls `findDisposed()`
  /// on the sweep and passes the result to `remove`.
  mutating func add(_ disposable: any Disposable) -> Sweep? {
    defer { items.append(disposable) }
    guard items.count >= sweepsAt else { return nil }
    // Allow only one sweep at a time.
    sweepsAt = .max
    return Sweep(items: items, generation: generation)
  }

  /// Drops the disposed elements of a sweep. The caller holds the sweep, so this method frees no
  /// disposable.
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
