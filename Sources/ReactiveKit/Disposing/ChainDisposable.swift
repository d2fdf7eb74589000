public import Synchronization

/// What a chain keeps hold of in order to let go of it: an owner, and the owner's number for the thing held.
@usableFromInline
package protocol Detachable: AnyObject {
  func detach(_ key: Int)
}

/// The one disposal state of an observed chain of operators.
///
/// An observation makes one; it travels upstream from operator to operator, and sources attach what is to be released
/// when the observation ends. So an operator that passes events straight on (`map`, `filter`, `scan`) has no
/// disposal state of its own and costs one closure call an event.
///
/// The rule that this rests on: whoever receives a terminal event and does not pass it on at once makes a chain of its
/// own for what is upstream of it, and disposes that. The last of the chain, `observe(with:)`, disposes on every
/// terminal event.
///
/// What is attached must not lead back to the observer, or a chain that nobody disposes would hold itself for ever.
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

  /// A token of the nearest traced subscription downstream, 0 where there is none. Set while the chain is being
  /// observed; operators that observe again later give it to the chains they make.
  ///
  /// It is negative where that subscription is the observation itself, and what is observed by way of this chain is all of it.
  @inlinable
  package var tracedBy: Int64 {
    get { nearestTrace.load(ordering: .relaxed) }
    set { nearestTrace.store(newValue, ordering: .relaxed) }
  }

  @inlinable
  package init(tracedBy: Int64 = 0) {
    nearestTrace = Atomic(tracedBy)
  }

  /// A chain for something upstream that may end on its own; it is disposed with this one.
  @inlinable
  package func makeChild() -> ChainDisposable {
    makeChild(tracedBy: tracedByForParts)
  }

  /// Makes a chain for the only signal upstream, with whose end the observation is over but for what waits for a timer or a queue.
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

  /// The token for chains by way of which only a part of what is upstream is observed.
  @inlinable
  package var tracedByForParts: Int64 { tracedBy & .max }

  @inlinable
  public var isDisposed: Bool {
    state.load(ordering: .acquiring)
  }

  /// Has `owner` let go of `key` when this chain is disposed; at once, if it already is.
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

  /// Disposes `disposable` when this chain is disposed; at once, if it already is.
  @usableFromInline
  package func attach(disposable: any Disposable) {
    // Not by a cast, which takes longer than all the rest.
    if type(of: disposable) == NonDisposable.self { return }
    attach(DetachableBox(disposable))
  }

  public func dispose() {
    // Most chains are asked twice: by their own end and by whoever observes.
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

/// Lets any disposable be attached to a chain.
private final class DetachableBox: Detachable {
  private let disposable: any Disposable

  init(_ disposable: any Disposable) {
    self.disposable = disposable
  }

  func detach(_ key: Int) {
    disposable.dispose()
  }
}
