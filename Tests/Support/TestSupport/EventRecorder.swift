package import ReactiveKit
import Synchronization

/// A collector of events from any thread. It notices calls of the observer during another
/// call or after the terminal event.
package final class EventRecorder<Element, Error: Swift.Error> {
  package typealias Event = Signal<Element, Error>.Event

  private let log = Locked<[Event]>([])
  private let isInside = Atomic<Bool>(false)
  private let overlaps = Atomic<Int>(0)

  package init() {}

  /// Collects one event.
  package func on(_ event: Event) {
    let isAlone = !isInside.exchange(true, ordering: .acquiringAndReleasing)
    if !isAlone { overlaps.wrappingAdd(1, ordering: .relaxed) }
    log.withLock { $0.append(event) }
    if isAlone { isInside.store(false, ordering: .releasing) }
  }

  /// Collects an event, and runs an action before the observer returns.
  package func on(_ event: Event, then action: () -> Void) {
    let isAlone = !isInside.exchange(true, ordering: .acquiringAndReleasing)
    if !isAlone { overlaps.wrappingAdd(1, ordering: .relaxed) }
    log.withLock { $0.append(event) }
    action()
    if isAlone { isInside.store(false, ordering: .releasing) }
  }

  /// All events, in the order in which they arrived.
  package var events: [Event] { log.withLock { $0 } }

  package var elements: [Element] { events.compactMap(\.element) }

  package var error: Error? { events.lazy.compactMap(\.error).first }

  package var isCompleted: Bool { events.contains { $0.isCompleted } }

  package var isTerminated: Bool { events.contains { $0.isTerminal } }

  /// The number of calls to the observer that began during another call.
  package var overlapCount: Int { overlaps.load(ordering: .relaxed) }

  /// A Boolean value that indicates whether no event followed a terminal event.
  package var isGrammatical: Bool { !events.dropLast().contains { $0.isTerminal } }
}

extension SignalProtocol {
  /// Subscribes, and collects the events.
  package func record() -> (recorder: EventRecorder<Element, Error>, disposable: any Disposable) {
    let recorder = EventRecorder<Element, Error>()
    return (recorder, observe { recorder.on($0) })
  }

  /// The elements that arrive while a new subscription is being made. The subscription is then
  /// disposed. For synchronous signals.
  package var elements: [Element] {
    let (recorder, disposable) = record()
    disposable.dispose()
    return recorder.elements
  }

  /// The events that arrive while a new subscription is being made, drawn without times: `12|`.
  package var drawn: String {
    let (recorder, disposable) = record()
    disposable.dispose()
    return recorder.drawn
  }
}

extension EventRecorder {
  /// The events, drawn without times: `12|`.
  package var drawn: String {
    events.map { event in
      switch event {
      case .next(let element): "\(element)".count == 1 ? "\(element)" : "[\(element)]"
      case .failed: "!"
      case .completed: "|"
      }
    }.joined()
  }
}
