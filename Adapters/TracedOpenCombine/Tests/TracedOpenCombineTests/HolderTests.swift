import OpenCombine
import ReactiveTrace
import Testing
import TracedOpenCombine

nonisolated(unsafe) private let clock = CurrentValueSubject<Int, Never>(0)
nonisolated(unsafe) private var session: Session?

/// An object that is further from a subscription than the subject is.
private final class Session {
  final class Part { var cancellables: Set<AnyCancellable> = [] }
  let part = Part()
}

private final class Screen {
  let taps = PassthroughSubject<Int, Never>()
  var cancellables: Set<AnyCancellable> = []
  var count = 0
}

extension TransparencyTests {
  @Suite("What holds a subscription, also if a global subject references it")
  struct HolderTests {
    /// Returns the explanation of the only subscription that `body` leaves behind.
    private func explanation(_ body: () -> Void) throws -> Trace.Explanation {
      try Trace.start(to: [.memory(Trace.MemorySink())])
      defer { Trace.stop() }
      session = Session()
      defer { session = nil }
      body()
      let id = try #require(Trace.activeSubscriptions.first?.id)
      return try #require(Trace.explain(subscription: id, limit: .seconds(60)))
    }

    @Test("It is the variable that leads to the set of cancellables")
    func set() throws {
      let found = try explanation {
        if let part = session?.part {
          clock.lane("clock").sink { _ in }.store(in: &part.cancellables)
        }
      }
      #expect(
        found.steps.map(\.what) == [
          "global session", "Session.part", "Part.cancellables", "subscription of clock",
        ])
      #expect(
        found.advice == "Cancel the subscription, or remove what holds it from global session.")
    }

    @Test("It is the subject, if nothing can cancel the subscription")
    func subject() throws {
      let found = try explanation {
        clock.lane("clock").subscribe(
          Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
      }
      #expect(found.steps.map(\.what) == ["global clock", "subscription of clock"])
      clock.send(completion: .finished)
    }

    @Test("A cycle through a subject isn't the reason if a variable has the cancellable")
    func cycleThroughSubject() throws {
      let found = try explanation {
        let screen = Screen()
        if let part = session?.part {
          screen.taps.lane("taps").sink { screen.count = $0 }.store(in: &part.cancellables)
        }
      }
      #expect(found.kind == .path)
      #expect(found.steps.first?.what == "global session")
    }

    @Test("A cycle through a subject is the reason if nothing can cancel the subscription")
    func cycleOfSubscriber() throws {
      let screen = Screen()
      let found = try explanation {
        screen.taps.lane("taps").subscribe(
          Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { screen.count = $0 }))
      }
      #expect(found.kind == .cycle)
      #expect(found.steps.map(\.what).contains("Screen.taps"))
      screen.taps.send(completion: .finished)
    }
  }
}
