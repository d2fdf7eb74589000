import ReactiveKit
import SystemLibrary
import TraceFormat

extension AsyncSequence {
  /// Writes each iteration to the log: its elements, and how it ended.
  ///
  /// An iteration is `disposed` if its iterator is deallocated before the end, or if its task is
  /// canceled. If tracing is off, an iteration costs one atomic load, and each element costs one
  /// check.
  ///
  ///     for await message in socket.messages.lane("socket.messages") { ... }
  public func lane(
    _ name: String? = nil, filter: Trace.LaneFilter = .all, lifetime: Trace.Lifetime = .normal,
    transformValue: (@Sendable (Element) -> String)? = nil,
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> TracedAsyncSequence<Self> {
    TracedAsyncSequence(
      base: self,
      site: TraceSite(
        name, .lane, library: .asyncSequence, file: file, line: line, function: function),
      filter: filter, livesUntilExit: lifetime == .process || !filter.contains(.subscription),
      describe: transformValue)
  }
}

/// An asynchronous sequence that forwards the elements of another sequence and traces each
/// iteration.
public struct TracedAsyncSequence<Base: AsyncSequence>: AsyncSequence {
  public typealias Element = Base.Element
  public typealias Failure = Base.Failure

  let base: Base
  let site: TraceSite
  let filter: Trace.LaneFilter
  let livesUntilExit: Bool
  let describe: (@Sendable (Element) -> String)?

  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), iteration: makeIteration())
  }

  @inline(never)
  private func makeIteration() -> TracedIteration<Element>? {
    guard let recorder = Recorder.current,
      let site = recorder.wanted(site, Element.self, filter)
    else { return nil }
    let thread = ThreadContext.current
    let subscription = TracedSubscription(
      recorder: recorder, site: site,
      observed: Inside.isInside ? nil : recorder.locations.here(), parent: nil,
      cause: thread.pointee.delivering.id(in: recorder), scope: TraceScope.current,
      test: recorder.testScope,
      lifetimeIsProcess: livesUntilExit)
    return TracedIteration(subscription, ValueWriter(describe, filter, recorder))
  }

  public struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let iteration: TracedIteration<Element>?

    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure)
      -> Element?
    {
      do throws(Failure) {
        let element = try await base.next(isolation: actor)
        iteration?.note(element)
        return element
      } catch {
        iteration?.note(error)
        throw error
      }
    }
  }
}

extension TracedAsyncSequence: Sendable where Base: Sendable {}

/// One iteration of a traced sequence. It ends at the latest when its iterator is deallocated.
final class TracedIteration<Element> {
  private let subscription: TracedSubscription
  private let writer: ValueWriter<Element>

  init(_ subscription: TracedSubscription, _ writer: ValueWriter<Element>) {
    self.subscription = subscription
    self.writer = writer
    // What holds the iterator is the reason why the subscription is alive.
    subscription.note(holding: self)
  }

  deinit {
    subscription.note(holding: nil)
    subscription.disposed()
  }

  func note(_ element: Element?) {
    if let element {
      subscription.next(element, writer)
    } else if Task.isCancelled {
      subscription.disposed()
    } else {
      subscription.completed()
    }
  }

  func note(_ error: any Error) {
    if error is CancellationError {
      subscription.disposed()
    } else {
      subscription.failed(with: error)
    }
  }
}

// It retains what the user observes, unlike the recorder's other objects.
extension TracedIteration: PlaysRole {
  static var objectRole: ObjectRole { .downstream }
}
