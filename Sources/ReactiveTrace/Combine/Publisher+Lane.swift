// The adapter for OpenCombine compiles this file, too.
#if OPENCOMBINE
  public import OpenCombine
  public import ReactiveTrace
#elseif canImport(Combine)
  public import Combine
#endif

#if OPENCOMBINE || canImport(Combine)
  #if OPENCOMBINE
    private let library = Trace.Library.openCombine
  #else
    private let library = Trace.Library.combine
  #endif

  extension Publisher {
    /// Writes each subscription to the log: when and where it began, its elements, and how it
    /// ended.
    ///
    /// Demand, order, threads, cancellation and memory are those of the publisher without a lane.
    /// If tracing is off, a subscription costs one atomic load, and an element costs nothing. See
    /// `SignalProtocol.lane` for the parameters.
    ///
    ///     searchText
    ///       .lane("search.keystrokes")
    ///       .removeDuplicates()
    public func lane(
      _ name: String? = nil, filter: Trace.LaneFilter = .all, lifetime: Trace.Lifetime = .normal,
      transformValue: ((Output) -> String)? = nil,
      file: String = #fileID, function: String = #function, line: Int = #line
    ) -> TracedPublisher<Self> {
      TracedPublisher(
        upstream: self,
        lane: Trace.Lane(
          name, filter: filter, lifetime: lifetime, library: library,
          transformValue: transformValue, file: file, function: function, line: line))
    }

    /// Prints the events of each subscription to standard output, and writes them to the log if
    /// there is one. Without a title, the lane is the source location.
    public func debug(
      _ title: String? = nil, file: String = #fileID, function: String = #function,
      line: Int = #line
    ) -> TracedPublisher<Self> {
      TracedPublisher(
        upstream: self,
        lane: .debug(title, library: library, file: file, function: function, line: line))
    }

    /// Stops in the debugger if one of the closures returns true. Before that, writes a
    /// `breakpoint` record to the log.
    ///
    /// The name distinguishes this operator from that of the library, which doesn't write a record.
    /// If no debugger is attached, the program continues. See `Trace.breakpointAction`.
    public func breakpoint(
      _ name: String, receiveSubscription: (() -> Bool)? = nil,
      receiveOutput: ((Output) -> Bool)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil,
      file: String = #fileID, function: String = #function, line: Int = #line
    ) -> TracedPublisher<Self> {
      TracedPublisher(
        upstream: self,
        lane: .breakpoint(
          name, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
          receiveCompletion: receiveCompletion.map { isWanted in
            { isWanted(($0 as? Failure).map { .failure($0) } ?? .finished) }
          }, library: library, file: file, function: function, line: line))
    }
  }

  /// A publisher that forwards the events of another publisher and traces each subscription.
  public struct TracedPublisher<Upstream: Publisher>: Publisher, HasLane {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    let upstream: Upstream
    let lane: Trace.Lane<Output>

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      guard let lane = lane.begin() else { return upstream.subscribe(subscriber) }
      lane.observe {
        upstream.subscribe(TracedSubscriber(downstream: subscriber, lane: lane))
      }
    }
  }

  /// The types of a lane.
  protocol HasLane {}

  // Upstream has the subscriber and downstream has the subscription, as without a lane. Neither of
  // them has the other one, so what the library releases is deallocated, and nothing needs a lock.

  /// What upstream has instead of the subscriber downstream.
  ///
  /// The library isn't specialized for it. It copies a structure of a generic type through its
  /// value witnesses for each event, and looks up associated types. So this is a class that has the
  /// types as parameters.
  private final class TracedSubscriber<Input, Failure: Error, Downstream: Subscriber>: Subscriber,
    HasLane
  where Downstream.Input == Input, Downstream.Failure == Failure {
    private let downstream: Downstream
    private let lane: Trace.LaneSubscription<Input>

    init(downstream: Downstream, lane: Trace.LaneSubscription<Input>) {
      self.downstream = downstream
      self.lane = lane
    }

    var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

    func receive(subscription: any Subscription) {
      lane.deliver {
        downstream.receive(subscription: TracedUpstream(upstream: subscription, lane: lane))
      }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      lane.next(input)
      return lane.deliver { downstream.receive(input) }
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      if case .failure(let error) = completion { lane.end(error) } else { lane.end() }
      lane.deliver { downstream.receive(completion: completion) }
    }
  }

  extension TracedSubscriber: CustomStringConvertible {
    var description: String { String(describing: downstream) }
  }

  /// What downstream has instead of the subscription upstream.
  private final class TracedUpstream<Element>: Subscription {
    private let upstream: any Subscription
    private let lane: Trace.LaneSubscription<Element>

    init(upstream: any Subscription, lane: Trace.LaneSubscription<Element>) {
      self.upstream = upstream
      self.lane = lane
      lane.note(handle: self)
    }

    deinit { lane.note(handle: nil) }

    var combineIdentifier: CombineIdentifier { upstream.combineIdentifier }

    func request(_ demand: Subscribers.Demand) { upstream.request(demand) }

    func cancel() {
      lane.cancel()
      upstream.cancel()
    }
  }

  extension TracedUpstream: CustomStringConvertible {
    var description: String { String(describing: upstream) }
  }
#endif
