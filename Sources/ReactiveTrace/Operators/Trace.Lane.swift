package import ReactiveKit
import SystemLibrary
import TraceFormat

extension Trace {
  /// The lane of an operator in another library of streams, such as Combine or RxSwift.
  ///
  /// The operator calls `begin()` for each of its subscriptions, and the methods of the result for
  /// what happens to it. If tracing is off, `begin()` costs one atomic load and returns nil.
  ///
  ///     func subscribe(_ observer: Observer) -> Disposable {
  ///       guard let lane = lane.begin() else { return source.subscribe(observer) }
  ///       return lane.observe { source.subscribe(TracedObserver(observer, lane)) }
  ///     }
  public struct Lane<Element> {
    typealias MakeWatch = (TracedSubscription?, Int) -> Watch<Element, any Error>

    private let site: TraceSite
    private let filter: LaneFilter
    private let livesUntilExit: Bool
    private let describe: ((Element) -> String)?
    private let makeWatch: MakeWatch?

    /// Creates a lane with the arguments of `SignalProtocol.lane`.
    ///
    /// Reports advise to end a subscription as its library does it. Without a library, they advise
    /// to dispose it.
    public init(
      _ name: String? = nil, filter: LaneFilter = .all, lifetime: Lifetime = .normal,
      library: Library? = nil, transformValue: ((Element) -> String)? = nil,
      file: String = #fileID, function: String = #function, line: Int = #line
    ) {
      site = TraceSite(
        name, .lane, library: library?.word, file: file, line: line, function: function)
      self.filter = filter
      livesUntilExit = lifetime == .process || !filter.contains(.subscription)
      describe = transformValue
      makeWatch = nil
    }

    private init(_ site: TraceSite, _ makeWatch: MakeWatch?) {
      self.site = site
      filter = .all
      livesUntilExit = false
      describe = nil
      self.makeWatch = makeWatch
    }

    /// Returns a lane that also prints its events, as `SignalProtocol.debug` does.
    public static func debug(
      _ title: String? = nil, library: Library? = nil,
      file: String = #fileID, function: String = #function, line: Int = #line
    ) -> Lane {
      let site = TraceSite(
        title, .debug, library: library?.word, file: file, line: line, function: function)
      return Lane(site) { _, id in .printing(site.lane, id) }
    }

    /// Returns a lane that stops in the debugger if one of the closures returns true, as
    /// `SignalProtocol.breakpoint` does.
    public static func breakpoint(
      _ name: String? = nil, receiveSubscription: (() -> Bool)? = nil,
      receiveOutput: ((Element) -> Bool)? = nil,
      receiveCompletion: (((any Error)?) -> Bool)? = nil, library: Library? = nil,
      file: String = #fileID, function: String = #function, line: Int = #line
    ) -> Lane {
      let site = TraceSite(
        name, .breakpoint, library: library?.word, file: file, line: line, function: function)
      return Lane(site) { subscription, _ in
        .stopping(
          at: site, subscription, receiveSubscription: receiveSubscription,
          receiveOutput: receiveOutput
        ) { completion in
          guard let receiveCompletion else { return false }
          if case .failure(let error) = completion { return receiveCompletion(error) }
          return receiveCompletion(nil)
        }
      }
    }

    /// Returns a lane for all subscriptions of a library, which a recorder wants only if it tracks
    /// all of them. Without a name, it is named after the code that subscribes.
    @_spi(Adapters)
    public static func observation(_ name: String?, library: Library) -> Lane {
      Lane(TraceSite(name, .observe, library: library.word), nil)
    }

    /// Begins a subscription. Returns nil if nothing records the lane.
    ///
    /// Its parent is the subscription for which the thread observes now (see
    /// `LaneSubscription.observe`), and its cause is the one whose event the thread delivers.
    public func begin() -> LaneSubscription<Element>? { begin(for: nil) }

    /// Begins a subscription that an operator makes when it gets an event. Without another parent,
    /// it has that of the subscription whose event it is.
    @_spi(Adapters)
    @inline(never)
    public func begin(for delivering: LaneReference?) -> LaneSubscription<Element>? {
      let recorder = Recorder.current.flatMap { isWanted(by: $0) ? $0 : nil }
      let thread = ThreadContext.current
      var place: PlaceNumber?
      let parent = recorder.flatMap { recorder in
        recorder.subscription(of: thread.pointee.observing)
          ?? delivering?.subscription.parent.flatMap { $0.recorder === recorder ? $0 : nil }
      }
      if let recorder {
        place = parent.map { $0.observed } ?? (Inside.isInside ? nil : recorder.locations.here())
      }
      var site = site
      if site.operator == .observe, site.name == nil {
        site = TraceSite(nil, .observe, library: site.library, place: place ?? .unknown)
      }
      let shared = recorder.flatMap { $0.wanted(site, Element.self, filter) }
      if shared == nil, makeWatch == nil { return nil }
      var subscription: TracedSubscription?
      var writer: ValueWriter<Element> = .none
      if let recorder, let shared {
        subscription = TracedSubscription(
          recorder: recorder, site: shared, observed: place, parent: parent,
          cause: thread.pointee.delivering.id(in: recorder), scope: TraceScope.current,
          test: recorder.testScope, lifetimeIsProcess: livesUntilExit)
        writer = ValueWriter(describe, filter, recorder)
      }
      let watch = makeWatch?(subscription, subscription?.id ?? UntracedNumbers.counter.next())
      watch?.began()
      return LaneSubscription(subscription, writer, watch)
    }

    private func isWanted(by recorder: Recorder) -> Bool {
      site.operator != .observe || recorder.tracksAll
    }
  }

  /// One subscription of a `Lane`.
  ///
  /// Of several ends, only the first one is written. If the object is deallocated before one, the
  /// log contains `released`. It doesn't retain anything of the program except the closures of its
  /// lane.
  @_fixed_layout
  public final class LaneSubscription<Element> {
    @usableFromInline let subscription: TracedSubscription?
    @usableFromInline let token: TraceToken
    @usableFromInline let writer: ValueWriter<Element>
    @usableFromInline let watch: LaneWatch<Element>?
    /// Whether elements are integers or texts, and the plan that makes the text of others, or 0.
    ///
    /// The code of an operator that isn't specialized uses these values faster than the writer,
    /// whose type it would look up for each element.
    @usableFromInline let isOfIntegers: Bool
    @usableFromInline let isOfTexts: Bool
    @usableFromInline let plan: UInt

    fileprivate init(
      _ subscription: TracedSubscription?, _ writer: ValueWriter<Element>,
      _ watch: Watch<Element, any Error>?
    ) {
      self.subscription = subscription
      token = subscription.map { TraceToken(id: $0.id, in: $0.recorder) } ?? .none
      self.writer = writer
      self.watch = watch.map(LaneWatch.init)
      isOfIntegers = Element.self == Int.self && writer.way == .planned
      isOfTexts = Element.self == String.self && writer.way == .planned
      plan = writer.way == .planned ? writer.word : 0
    }

    @inlinable
    deinit { subscription?.released() }

    /// Observes upstream. Subscriptions that begin on this thread in the meantime belong to this
    /// one.
    public func observe<Result>(_ body: () -> Result) -> Result {
      guard subscription != nil else { return body() }
      let thread = ThreadContext.current
      let outer = thread.pointee.observing
      thread.pointee.observing = token
      defer { thread.pointee.observing = outer }
      return body()
    }

    /// Notes the object with which downstream can cancel the subscription. What holds that object
    /// is the reason why the subscription is alive. The object must note nil in its `deinit`.
    public func note(handle: AnyObject?) { subscription?.note(holding: handle) }

    /// Writes an element. The caller must pass elements one at a time.
    @inlinable
    public func next(_ element: Element) {
      if isOfIntegers {
        subscription?.next(
          integer: withUnsafePointer(to: element) { UnsafeRawPointer($0).load(as: Int.self) })
      } else if isOfTexts {
        withUnsafePointer(to: element) {
          subscription?.next(text: UnsafeRawPointer($0).load(as: String.self))
        }
      } else if plan != 0 {
        withUnsafePointer(to: element) { subscription?.next(at: UnsafeRawPointer($0), plan) }
      } else {
        subscription?.next(element, writer)
      }
      if watch != nil { watchSlowPath(element) }
    }

    /// Passes an element to `debug` or `breakpoint`. In `next`, code that isn't specialized would
    /// look up the type of the event for each element.
    @usableFromInline
    @inline(never)
    func watchSlowPath(_ element: Element) { watch?.handle(.next(element)) }

    /// Passes on an event. This subscription is the cause of all that begin on this thread in the
    /// meantime.
    @inlinable
    public func deliver<Result>(_ body: () -> Result) -> Result {
      guard subscription != nil else { return body() }
      let outer = token.beginDelivering()
      defer { TraceToken.end(outer) }
      return body()
    }

    /// Writes that the subscription ended: it completed, or it failed with an error.
    public func end(_ error: (any Error)? = nil) {
      if let error {
        subscription?.failed(with: error)
        watch?.handle(.failed(error))
      } else {
        subscription?.completed()
        watch?.handle(.completed)
      }
    }

    /// Writes that the subscription was canceled.
    public func cancel() {
      subscription?.disposed()
      watch?.detach(0)
    }
  }
}

extension Trace {
  /// A library of streams. Reports advise to end a subscription as the library does it.
  public struct Library: Sendable {
    fileprivate let word: LogFormat.StreamLibrary

    public static let combine = Library(word: .combine)
    public static let observation = Library(word: .observation)
    public static let openCombine = Library(word: .openCombine)
    public static let reactiveSwift = Library(word: .reactiveSwift)
    public static let rxSwift = Library(word: .rxSwift)
  }

  /// A subscription of a lane with elements of any type.
  @_spi(Adapters)
  public struct LaneReference: Sendable {
    fileprivate let subscription: TracedSubscription
  }

  /// What a thread did before it began to work for a subscription.
  @_spi(Adapters)
  public struct LaneActivity {
    fileprivate let delivering: TraceToken
    fileprivate let observing: TraceToken

    fileprivate init() {
      let thread = ThreadContext.current
      (delivering, observing) = (thread.pointee.delivering, thread.pointee.observing)
    }

    public func restore() {
      let thread = ThreadContext.current
      (thread.pointee.delivering, thread.pointee.observing) = (delivering, observing)
    }
  }
}

/// For libraries that report the beginning and the end of a call.
@_spi(Adapters)
extension Trace.LaneSubscription {
  public var reference: Trace.LaneReference? {
    subscription.map { Trace.LaneReference(subscription: $0) }
  }

  public func beginObserving() -> Trace.LaneActivity {
    defer { if subscription != nil { ThreadContext.current.pointee.observing = token } }
    return Trace.LaneActivity()
  }

  public func beginDelivery() -> Trace.LaneActivity {
    defer { if subscription != nil { _ = token.beginDelivering() } }
    return Trace.LaneActivity()
  }
}

@usableFromInline typealias LaneWatch<Element> = Watcher<Element, any Error>

// It retains what the user observes, unlike the recorder's other objects.
extension Trace.LaneSubscription: PlaysRole {
  package static var objectRole: ObjectRole { .downstream }
}
