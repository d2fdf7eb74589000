import COpenCombineHook
import Dispatch
import OpenCombine
@_spi(Adapters) import ReactiveTrace

/// Traces all subscriptions of OpenCombine, also those without a lane, if the log records them:
/// with `REACTIVE_TRACE_ALL` or `Trace.Options.tracksAllSubscriptions`.
///
/// With the environment variable, you don't need to call this function. Subscriptions that began
/// before the call aren't traced.
public func traceAllSubscriptions() { Introspection.shared.enable() }

@_cdecl("traced_introspect")
func introspect() { Introspection.shared.enable() }

/// What OpenCombine reports about each link between a publisher and its subscriber.
///
/// A link is known by the identifier of its subscriber. The observer of the program is named after
/// the code that subscribes, and a link between operators after the publisher.
private final class Introspection: _Introspection, @unchecked Sendable {
  static let shared = Introspection()

  private struct Link {
    let lane: any LinkLane
    var subscription: CombineIdentifier?
  }

  private let lock = DispatchSemaphore(value: 1)
  private var links: [CombineIdentifier: Link] = [:]
  /// The subscribers that have a subscription. Operators such as `map` pass theirs on.
  private var subscribers: [CombineIdentifier: Set<CombineIdentifier>] = [:]

  private func withLock<Result>(_ body: () -> Result) -> Result {
    lock.wait()
    defer { lock.signal() }
    return body()
  }

  /// An event or a subscription that a thread is passing on, until the call with which it ends.
  private final class Passing {
    let outer: UnsafeMutableRawPointer?
    let lane: (any LinkLane)?
    let former: Trace.LaneActivity?

    init(_ lane: (any LinkLane)?, isDelivery: Bool) {
      outer = traced_delivery()
      self.lane = lane
      former = isDelivery ? lane?.beginDelivery() : lane?.beginObserving()
    }
  }

  private func push(_ lane: (any LinkLane)?, isDelivery: Bool) {
    let passing = Passing(lane, isDelivery: isDelivery)
    traced_set_delivery(Unmanaged.passRetained(passing).toOpaque())
  }

  private func pop() {
    guard let passing = traced_delivery() else { return }
    let last = Unmanaged<Passing>.fromOpaque(passing).takeRetainedValue()
    last.former?.restore()
    traced_set_delivery(last.outer)
  }

  /// The link whose event the thread passes on.
  private var delivering: (any LinkLane)? {
    traced_delivery().flatMap { Unmanaged<Passing>.fromOpaque($0).takeUnretainedValue().lane }
  }

  func willReceive<Upstream: Publisher, Downstream: Subscriber>(
    publisher: Upstream, subscriber: Downstream
  ) where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input {
    let id = subscriber.combineIdentifier
    // A type-erased publisher passes its subscriber on.
    guard !(publisher is any HasLane), !(subscriber is any HasLane),
      withLock({ links[id] == nil })
    else { return push(nil, isDelivery: false) }
    // `flatMap` and similar operators subscribe while they get an event.
    let isOperator = String(reflecting: Downstream.self).hasPrefix("OpenCombine.Publishers.")
    let name = isOperator ? String("\(Upstream.self)".prefix { $0 != "<" }) : nil
    let lane = Trace.Lane<Upstream.Output>.observation(name, library: .openCombine)
      .begin(for: isOperator ? delivering?.reference : nil)
    if let lane { withLock { links[id] = Link(lane: lane) } }
    push(lane, isDelivery: false)
  }

  func didReceive<Upstream: Publisher, Downstream: Subscriber>(
    publisher: Upstream, subscriber: Downstream
  ) where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input { pop() }

  func willReceive<Downstream: Subscriber>(
    subscriber: Downstream, subscription: any Subscription
  ) {
    let (id, handle) = (subscriber.combineIdentifier, subscription.combineIdentifier)
    withLock {
      guard links[id] != nil else { return }
      links[id]?.subscription = handle
      subscribers[handle, default: []].insert(id)
    }
  }

  func willReceive<Downstream: Subscriber>(subscriber: Downstream, input: Downstream.Input) {
    let lane = withLock { links[subscriber.combineIdentifier]?.lane }
    (lane as? Trace.LaneSubscription<Downstream.Input>)?.next(input)
    push(lane, isDelivery: true)
  }

  func didReceive<Downstream: Subscriber>(
    subscriber: Downstream, input: Downstream.Input, resultingDemand: Subscribers.Demand
  ) { pop() }

  func willReceive<Downstream: Subscriber>(
    subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>
  ) {
    let lane = withLock { remove(subscriber.combineIdentifier) }
    if case .failure(let error) = completion { lane?.end(error) } else { lane?.end(nil) }
    push(lane, isDelivery: true)
  }

  func didReceive<Downstream: Subscriber>(
    subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>
  ) { pop() }

  func willCancel(subscription: any Subscription) {
    let lanes = withLock {
      (subscribers[subscription.combineIdentifier] ?? []).compactMap { remove($0) }
    }
    for lane in lanes { lane.cancel() }
  }

  private func remove(_ subscriber: CombineIdentifier) -> (any LinkLane)? {
    guard let link = links.removeValue(forKey: subscriber) else { return nil }
    if let handle = link.subscription {
      subscribers[handle]?.remove(subscriber)
      if subscribers[handle]?.isEmpty == true { subscribers[handle] = nil }
    }
    return link.lane
  }
}

/// A lane whose elements have any type.
private protocol LinkLane: AnyObject {
  var reference: Trace.LaneReference? { get }
  func beginObserving() -> Trace.LaneActivity
  func beginDelivery() -> Trace.LaneActivity
  func end(_ error: (any Error)?)
  func cancel()
}

extension Trace.LaneSubscription: LinkLane {}
