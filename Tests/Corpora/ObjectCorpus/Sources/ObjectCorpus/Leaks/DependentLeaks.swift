extension ObjectCase {
  /// The type of a reference depends on generic parameters in other ways than by being one. The
  /// threads have ended, so that old words lead to the objects.
  static var dependentLeaks: [ObjectCase] {
    [
      .leak(
        "associated-type",
        .cycle(["Relay.last", "Listener.relay"], leaked: ["Relay": 20, "Listener": 20])
      ) {
        EndedThreads.run(20) {
          let listener = Listener()
          listener.relay = Relay(Listeners(), last: listener)
        }
      },
      .leak(
        "associated-type-of-generic-type",
        .cycle(["Relay.last", "Listener.relay"], leaked: ["Relay": 20, "Listener": 20])
      ) {
        EndedThreads.run(20) {
          let listener = Listener()
          listener.relay = Relay(Repeated(Pairs(Listeners())), last: (7, listener))
        }
      },
      // The superclass of the generic argument conforms.
      .leak(
        "associated-type-of-superclass",
        .cycle(["Relay.last", "Listener.relay"], leaked: ["Relay": 20, "Listener": 20])
      ) {
        EndedThreads.run(20) {
          let listener = Listener()
          listener.relay = Relay(ListedChannel(), last: listener)
        }
      },
      .leak(
        "associated-type-of-collection",
        .cycle(["Queue.first", "Listener.relay"], leaked: ["Queue": 20, "Listener": 20])
      ) {
        EndedThreads.run(20) {
          let listener = Listener()
          listener.relay = Queue(["A": listener], first: ("A", listener))
        }
      },
      // The payload of the other case has no values, so that only a byte says which case it is.
      .leak(
        "payload-or-never",
        .cycle(["Journal.last", "Listener.relay"], leaked: ["Journal": 20, "Listener": 20])
      ) {
        EndedThreads.run(20) {
          let listener = Listener()
          listener.relay = Journal<Listener, Never>(.value(listener))
        }
      },
      .leak(
        "capture-of-parameter",
        .cycle(["Listener.action", "closure.value"], leaked: ["Listener": 20])
      ) {
        EndedThreads.run(20) {
          let listener = Listener()
          listener.keep(opaque((listener, 1)))
        }
      },
      .leak(
        "capture-of-associated-type",
        .cycle(["Listener.action", "closure.value"], leaked: ["Listener": 20])
      ) {
        EndedThreads.run(20) {
          let listener = Listener()
          listener.keep(opaque(Pairs(Listeners())), (2, listener))
        }
      },
    ]
  }
}

protocol Channel<Element> {
  associatedtype Element
}

private struct Listeners: Channel {
  typealias Element = Listener
}

struct Pairs<Base: Channel>: Channel {
  typealias Element = (Int, Base.Element)
  let base: Base

  init(_ base: Base) { self.base = base }
}

struct Repeated<Base: Channel>: Channel {
  typealias Element = Base.Element
  let base: Base

  init(_ base: Base) { self.base = base }
}

private class ListenerChannel: Channel {
  typealias Element = Listener
}

private final class ListedChannel: ListenerChannel {}

private final class Listener {
  var relay: AnyObject?
  var action: (() -> String)?

  init() { Life.begin(self, "Listener") }
  deinit { Life.end("Listener") }

  @inline(never)
  func keep<Value>(_ value: Value) {
    action = { "\(opaque(value))" }  // closure: capture-of-parameter
  }

  @inline(never)
  func keep<Source: Channel>(_ source: Source, _ value: Source.Element) {
    action = { "\(opaque(value))" }  // closure: capture-of-associated-type
  }
}

private final class Relay<Source: Channel> {
  private let source: Source
  private let last: Source.Element?

  init(_ source: Source, last: Source.Element) {
    (self.source, self.last) = (source, last)
    Life.begin(self, "Relay")
  }
  deinit { Life.end("Relay") }
}

private final class Queue<Elements: Collection> {
  private let elements: Elements
  private let first: (Elements.Index?, Elements.Element)

  init(_ elements: Elements, first: Elements.Element) {
    (self.elements, self.first) = (elements, (nil, first))
    Life.begin(self, "Queue")
  }
  deinit { Life.end("Queue") }
}

enum Entry<Value, Failure> {
  enum Ending { case finished, failure(Failure) }

  case value(Value), ending(Ending)
}

private final class Journal<Value, Failure> {
  private let last: Entry<Value, Failure>

  init(_ last: Entry<Value, Failure>) {
    self.last = last
    Life.begin(self, "Journal")
  }
  deinit { Life.end("Journal") }
}
