public import Synchronization

/// An owner of things that a chain releases when it is disposed. A chain stores the owner and the
/// owner's number for the thing to release.
@usableFromInline
package protocol Detachable: AnyObject {
  func detach(_ key: Int)
}

/// The one disposal state of an observed chain of operators.
///
/// Each subscription creates one chain. The chain travels upstream from operator to operator, and
/// sources attach the resources to release when the subscription ends. An operator that passes
/// events straight on (`map`, `filter`, `scan`) therefore has no disposal state of its own and
/// costs one closure call per event.
///
/// This design depends on one rule: an operator that receives a terminal event and does not pass it
/// on immediately creates its own chain for its upstream and disposes that chain. The end of the
/// chain, `observe(with:)`, disposes on every terminal event.
///
/// Attached resources must not lead back to the observer. Otherwise, a chain that nobody disposes
/// keeps itself alive forever.
public final class ChainDisposable: Disposable, Sendable {
  @usableFromInline
  struct Attachment {
    @usableFromInline let owner: any Detachable
    @usableFromInline let key: Int

    @inlinable
    init(owner: any Detachable, key: Int) {
      self.owner = owner
      self.key = key
    }
  }

  @usableFromInline
  struct Attachments {
    @usableFromInline var first: Attachment?
    @usableFromInline var others: ContiguousArray<Attachment> = []

    @inlinable
    init() {}
  }

  @usableFromInline let state = Atomic<Bool>(false)
  @usableFromInline let attachments = Locked(Attachments())

  @usableFromInline let nearestTrace: Atomic<Int64>

  /// The token of the nearest traced subscription downstream, or 0 if there is none. The token is
  /// set while the chain is being observed. Operators that observe again later pass it to the
  /// chains that they create.
  ///
  /// The token is negative if that subscription is the observation itself and this chain observes
  /// the whole of it.
  @inlinable
  package var tracedBy: Int64 {
    get { nearestTrace.load(ordering: .relaxed) }
    set { nearestTrace.store(newValue, ordering: .relaxed) }
  }

  @inlinable
  package init(tracedBy: Int64 = 0) {
    nearestTrace = Atomic(tracedBy)
  }

  /// Creates a chain for an upstream signal that can end on its own. The new chain is disposed with
  /// this one.
  @inlinable
  package func makeChild() -> ChainDisposable {
    makeChild(tracedBy: tracedByForParts)
  }

  /// Creates a chain for the only upstream signal. When that signal ends, the observation is over,
  /// except for events that wait for a timer or a queue.
  @inlinable
  package func makeSource() -> ChainDisposable {
    makeChild(tracedBy: tracedBy)
  }

  @inlinable
  func makeChild(tracedBy: Int64) -> ChainDisposable {
    let child = ChainDisposable(tracedBy: tracedBy)
    attach(child)
    return child
  }

  /// The token for chains that observe only a part of the upstream.
  @inlinable
  package var tracedByForParts: Int64 { tracedBy & .max }

  @inlinable
  public var isDisposed: Bool {
    state.load(ordering: .acquiring)
  }

  /// Makes `owner` release `key` when this chain is disposed, or immediately if it already is.
  @inlinable
  package func attach(_ owner: any Detachable, key: Int = 0) {
    let isLate = attachments.withLock { attachments in
      if isDisposed { return true }
      let attachment = Attachment(owner: owner, key: key)
      if attachments.first == nil {
        attachments.first = attachment
      } else {
        attachments.others.append(attachment)
      }
      return false
    }
    if isLate { owner.detach(key) }
  }

  /// Disposes `disposable` when this chain is disposed, or immediately if it already is.
  @usableFromInline
  package func attach(disposable: any Disposable) {
    // A cast takes longer than the rest of this method.
    if type(of: disposable) == NonDisposable.self { return }
    attach(DetachableBox(disposable))
  }

  public func dispose() {
    // Most chains are disposed twice: by their own end and by the code that observes.
    if isDisposed { return }
    var first: Attachment?
    var others: ContiguousArray<Attachment> = []
    attachments.withLock { attachments in
      guard !state.load(ordering: .relaxed) else { return }
      state.store(true, ordering: .releasing)
      swap(&first, &attachments.first)
      swap(&others, &attachments.others)
    }
    guard let first else { return }
    first.owner.detach(first.key)
    for attachment in others { attachment.owner.detach(attachment.key) }
  }
}

extension ChainDisposable: Detachable {
  @usableFromInline
  package func detach(_ key: Int) {
    dispose()
  }
}

/// A wrapper that lets any disposable be attached to a chain.
private final class DetachableBox: Detachable {
  private let disposable: any Disposable

  init(_ disposable: any Disposable) {
    self.disposable = disposable
  }

  func detach(_ key: Int) {
    disposable.dispose()
  }
}

extension ChainDisposable: StoresValues {
  package static var storedValues: [StoredValue] {
    [
      .atomic("state", Bool.self), .locked("attachments", Attachments.self),
      .atomic("nearestTrace", Int64.self),
    ]
  }
}
