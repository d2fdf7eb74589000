/// The core of an observable collection: the collection, its observers and the order of its
/// changes.
///
/// Changes happen under a lock, one after another. The events of the changes are sent after the
/// lock is released, in the order of the changes. Values that a change replaces are freed outside
/// the lock, except where the collection itself moves its elements. `==` and `hash` of elements run
/// under the lock, so they must not touch the collection.
final class CollectionCore<Base: Collection>: Sendable {
  typealias Event = ObservableCollectionEvent<Base>
  typealias Change = CollectionChange<Base.Index>
  // Numbers let an observer skip the events that its first event already includes.
  typealias NumberedEvent = (number: Int, event: Event)

  private struct Batch {
    let old: Base
    var depth = 1
    var changes: [Change] = []
  }

  private struct State {
    var collection: Base
    var number = 0
    var batch: Batch?
  }

  private let serializer: Transferred<EventSerializer<State, NumberedEvent, Never>>
  private let subject: SubjectCore<NumberedEvent, Never>
  // Combines several changes into one, given the collection before and after the changes.
  private let join: Transferred<(Base, Base, [Change]) -> Change>

  init(_ collection: Base, join: @escaping (Base, Base, [Change]) -> Change) {
    let subject = SubjectCore<NumberedEvent, Never>(replayLimit: 0)
    self.subject = subject
    self.join = Transferred(join)
    serializer = Transferred(
      EventSerializer(State(collection: collection), { subject.send($0) }, ChainDisposable()))
  }

  /// Sends `.completed`, because no change can follow.
  func close() {
    serializer.value.send(.completed)
    subject.close()
  }

  var collection: Base {
    serializer.value.update { state, _ in state.collection }
  }

  /// Changes the collection. An empty change sends no event.
  func update<Result>(_ edit: (inout Base) -> (Change, Result)) -> Result {
    serializer.value.update { state, emitter in
      let (change, result) = edit(&state.collection)
      if change.isEmpty { return result }
      if state.batch != nil {
        state.batch?.changes.append(change)
      } else {
        Self.send(change, &state, &emitter)
      }
      return result
    }
  }

  private static func send(
    _ change: Change, _ state: inout State,
    _ emitter: inout EventSerializer<State, NumberedEvent, Never>.Emitter
  ) {
    state.number += 1
    let event = Event(
      collection: state.collection, inserts: change.inserts, deletes: change.deletes,
      updates: change.updates)
    emitter.send(.next((state.number, event)))
  }

  /// Combines all changes made while `body` runs into one event.
  func batchUpdate(_ body: () -> Void) {
    serializer.value.update { state, _ in
      if state.batch == nil {
        state.batch = Batch(old: state.collection)
      } else {
        state.batch?.depth += 1
      }
    }
    body()
    serializer.value.update { state, emitter -> Batch? in
      guard var batch = state.batch else { return nil }
      batch.depth -= 1
      state.batch = batch.depth > 0 ? batch : nil
      guard batch.depth == 0, !batch.changes.isEmpty else { return nil }
      let change = join.value(batch.old, state.collection, batch.changes)
      if !change.isEmpty { Self.send(change, &state, &emitter) }
      return batch
    }
  }

  func attach(_ observer: @escaping Observer<Event, Never>, to chain: ChainDisposable) {
    let gate = ReplayGate<NumberedEvent, Never>()
    let start = UncheckedBox(0)
    let pass: Observer<NumberedEvent, Never> = { event in
      switch event {
      case .next(let (number, event)): if number > start.value { observer(.next(event)) }
      case .completed: observer(.completed)
      }
    }
    subject.attach({ if gate.admits($0) { pass($0) } }, to: chain)
    let current = serializer.value.update { state, _ -> Base in
      start.value = state.number
      // Changes that a batch has not sent yet belong to the event of the batch, not to this one.
      return state.batch?.old ?? state.collection
    }
    if !chain.isDisposed { observer(.next(Event(collection: current))) }
    gate.open(pass, chain)
  }
}
