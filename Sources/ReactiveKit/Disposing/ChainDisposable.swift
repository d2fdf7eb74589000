public import Synchronization

/// An owner of resources that a chain releases when it is disposed. The chain stores the owner and
/// the owner's number for the resource.
@usableFromInline
package protocol Detachable: AnyObject {
  func detach(_ key: Int)

  /// Marks chains of the owner as disposed without releasing anything. The chain calls `detach`
  /// afterward. This method is called only for parts of a chain (`attach(part:)`).
  func markDisposed()
}

extension Detachable {
  @inlinable
  package func markDisposed() {}
}

/// The one disposal state of an observed chain of operators.
///
/// Each subscription creates one chain. The chain travels upstream from operator to operator, and
/// sources attach the resources to release when the subscription ends. An operator that forwards
/// events immediately (`map`, `filter`, `scan`) therefore has no disposal state of its own and
/// costs one closure call per event.
///
/// This design depends on one rule: an operator that receives a terminal event and does not pass it
/// on immediately creates its own chain for its upstream and disposes that chain. The end of the
/// chain, `observe(with:)`, disposes on every terminal event.
///
/// The release of some resources is visible to users: the disposable of a producer, and the actions
/// of `handleEvents`. They are released before the terminal event continues, so an operator that
/// has such a resource, or that sends its own terminal event, creates a stage for its upstream.
///
/// Attached resources must not lead back to the observer. Otherwise, a chain that is never disposed
/// keeps itself alive forever.
@_fixed_layout
public final class ChainDisposable: Disposable, Sendable {
  @frozen @usableFromInline
  struct Attachment {
    @usableFromInline let owner: any Detachable
    @usableFromInline let key: Int

    @inlinable
    init(owner: any Detachable, key: Int) {
      self.owner = owner
      self.key = key
    }
  }

  @frozen @usableFromInline
  struct Attachments {
    @usableFromInline var first: Attachment?
    @usableFromInline var others: ContiguousArray<Attachment> = []
    // True if an attachment is a part of the chain that has its own chains.
    @usableFromInline var hasParts = false
    @usableFromInline var stage: Stage

    @inlinable
    init(_ stage: Stage) {
      self.stage = stage
    }

    @inlinable
    mutating func addOther(_ attachment: Attachment) {
      // A literal takes half of the instructions of an array that grows.
      if others.isEmpty {
        others = [attachment]
      } else {
        others.append(attachment)
      }
    }
  }

  /// The progress of a stage. Other chains are always `attached`.
  @frozen @usableFromInline
  enum Stage {
    /// The operator has subscribed to all its signals.
    case attached
    /// The operator has not yet subscribed to all its signals.
    case attaching
    /// The stage ended before its operator had subscribed to all its signals.
    case ended
  }

  // Changed only under the lock of `attachments`. Cold sources and operators check it for each
  // element, and an enumeration with a raw value can't be decoded inline in clients: that took 179
  // instead of 35 instructions for an element of a sequence with `map` and `filter`
  // (Benchmarks/instructions). It comes after the attachments, because it takes a byte of the word
  // in which they end.
  @usableFromInline let attachments: Locked<Attachments>
  @usableFromInline let disposed = Atomic<Bool>(false)

  @usableFromInline let nearestTrace: Atomic<Int64>

  /// The token of the nearest traced subscription downstream, or 0 without one. The token is set
  /// while the chain is being observed. Operators that observe again later pass it to the chains
  /// that they create.
  ///
  /// The token is negative if this chain observes everything that the subscription observes.
  @inlinable
  package var tracedBy: Int64 {
    get { nearestTrace.load(ordering: .relaxed) }
    set { nearestTrace.store(newValue, ordering: .relaxed) }
  }

  @inlinable
  package init(tracedBy: Int64 = 0) {
    attachments = Locked(Attachments(.attached))
    nearestTrace = Atomic(tracedBy)
  }

  @inlinable
  init(stageTracedBy tracedBy: Int64) {
    attachments = Locked(Attachments(.attaching))
    nearestTrace = Atomic(tracedBy)
  }

  /// Creates a chain for an upstream signal that can end on its own. The new chain is disposed with
  /// this one.
  @inlinable
  package func makeChild() -> ChainDisposable {
    makeChild(tracedBy: tracedByForParts)
  }

  /// Creates a chain for the only upstream signal. When that signal ends, the observation ends too,
  /// except for events that wait for a timer or a queue.
  @inlinable
  package func makeSource() -> ChainDisposable {
    makeChild(tracedBy: tracedBy)
  }

  @inlinable
  func makeChild(tracedBy: Int64) -> ChainDisposable {
    let child = ChainDisposable(tracedBy: tracedBy)
    attach(part: child)
    return child
  }

  /// Creates a chain for everything upstream of an operator that must be released before the
  /// operator sends a terminal event. The operator calls `didAttach()` once it has subscribed to
  /// its signals, and `end()` before it sends a terminal event.
  @inlinable
  package func makeStage() -> ChainDisposable {
    let stage = ChainDisposable(stageTracedBy: tracedBy)
    attach(part: stage)
    return stage
  }

  /// Notes that the operator of this stage has subscribed to its signals. If the stage has ended,
  /// disposes it and returns true.
  @inlinable
  @discardableResult
  package func didAttach() -> Bool {
    let hasEnded = attachments.withLock { attachments in
      if isDisposed { return false }
      switch attachments.stage {
      case .attaching: attachments.stage = .attached
      case .ended: return true
      case .attached: break
      }
      return false
    }
    if hasEnded { dispose() }
    return hasEnded
  }

  /// Disposes this stage, before its operator sends a terminal event. Returns true if it did.
  ///
  /// While the operator subscribes, nothing is disposed yet, because a producer that sends
  /// immediately hasn't returned its disposable. `didAttach()` or the end of the chain disposes it
  /// later.
  @inlinable
  @discardableResult
  package func end() -> Bool {
    let isAttaching = attachments.withLock { attachments in
      if isDisposed { return false }
      switch attachments.stage {
      case .attaching: attachments.stage = .ended
      case .ended: break
      case .attached: return false
      }
      return true
    }
    if !isAttaching { dispose() }
    return !isAttaching
  }

  /// The token for chains that observe only a part of the upstream.
  @inlinable
  package var tracedByForParts: Int64 { tracedBy & .max }

  @inlinable
  public var isDisposed: Bool {
    disposed.load(ordering: .acquiring)
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
        attachments.addOther(attachment)
      }
      return false
    }
    if isLate { owner.detach(key) }
  }

  /// Makes this chain dispose a part that has its own chains. These are marked as disposed before
  /// anything is released, so that a release in one of them can't send through another.
  @inlinable
  func attach(part: some Detachable) {
    let isLate = attachments.withLock { attachments in
      if isDisposed { return true }
      let attachment = Attachment(owner: part, key: 0)
      if attachments.first == nil {
        attachments.first = attachment
      } else {
        attachments.addOther(attachment)
      }
      attachments.hasParts = true
      return false
    }
    guard isLate else { return }
    part.markDisposed()
    part.detach(0)
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
    var hasParts = false
    attachments.withLock { attachments in
      guard !isDisposed else { return }
      disposed.store(true, ordering: .releasing)
      hasParts = attachments.hasParts
      if hasParts { return }
      swap(&first, &attachments.first)
      swap(&others, &attachments.others)
    }
    if hasParts {
      markParts()
      release()
    } else if let first {
      first.owner.detach(first.key)
      for attachment in others { attachment.owner.detach(attachment.key) }
    }
  }

  private func markParts() {
    let attachments = attachments.withLock { $0 }
    attachments.first?.owner.markDisposed()
    for attachment in attachments.others { attachment.owner.markDisposed() }
  }

  /// Releases the attachments of this chain in the order in which they were attached.
  private func release() {
    var first: Attachment?
    var others: ContiguousArray<Attachment> = []
    attachments.withLock { attachments in
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
  package func markDisposed() {
    let hasParts = attachments.withLock { attachments in
      guard !isDisposed else { return false }
      disposed.store(true, ordering: .releasing)
      return attachments.hasParts
    }
    if hasParts { markParts() }
  }

  @usableFromInline
  package func detach(_ key: Int) {
    // The chain that this one is a part of has already marked it as disposed.
    release()
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
      .locked("attachments", Attachments.self), .atomic("disposed", Bool.self),
      .atomic("nearestTrace", Int64.self),
    ]
  }
}

extension ChainDisposable: PlaysRole {
  /// The type of the elements in the list of attachments.
  package static var attachmentType: Any.Type { Attachment.self }
  package static var objectRole: ObjectRole { .chain }
}
