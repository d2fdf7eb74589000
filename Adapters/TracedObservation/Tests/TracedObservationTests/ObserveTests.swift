import Observation
import ReactiveTrace
import Testing
import TracedObservation

@Observable
private final class Cart: @unchecked Sendable {
  var count = 0
  var title = "cart"
}

/// A screen that shows the cart, with or without the usual mistake.
@MainActor
private final class Screen {
  private var observer: Trace.Observer?
  private(set) var shown: [Int] = []

  func showStrongly(_ cart: Cart) {
    observer = Trace.observe("strong") { self.show(cart.count) }
  }

  func showWeakly(_ cart: Cart) {
    observer = Trace.observe("weak") { [weak self] in self?.show(cart.count) ?? 0 }
  }

  private func show(_ count: Int) -> Int {
    shown.append(count)
    return count
  }
}

@MainActor
@Suite("Observers of observable properties", .serialized)
struct ObserveTests {
  private func log(_ body: (Trace.MemorySink) async throws -> Void) async throws -> [String] {
    let memory = Trace.MemorySink()
    try Trace.start(to: [.memory(memory)])
    defer { Trace.stop() }
    try await body(memory)
    return events(memory)
  }

  private func events(_ memory: Trace.MemorySink) -> [String] {
    let events: Set<Trace.Record.Event> = [.subscribe, .next, .completed, .disposed, .released]
    return memory.records.filter { events.contains($0.event) }.map {
      ["\($0.lane ?? "-") \($0.event.rawValue)", $0.value].compactMap(\.self)
        .joined(separator: " ")
    }
  }

  /// Waits until the log has an event.
  private func wait(_ memory: Trace.MemorySink, for event: String) async {
    let end = ContinuousClock.now + .seconds(20)
    while !events(memory).contains(event), ContinuousClock.now < end { await Task.yield() }
  }

  @Test("An observer writes what its closure returns after each change, and its end")
  func changes() async throws {
    let cart = Cart()
    let events = try await log { memory in
      let observer = Trace.observe("cart") { cart.count }
      await wait(memory, for: "cart next 0")
      cart.count = 1
      await wait(memory, for: "cart next 1")
      cart.title = "isn't observed"
      cart.count = 2
      await wait(memory, for: "cart next 2")
      observer.cancel()
      await observer.waitUntilEnd()
    }
    #expect(
      events == ["cart subscribe", "cart next 0", "cart next 1", "cart next 2", "cart disposed"])
  }

  @Test("A lane follows `Observations`")
  func observations() async throws {
    let cart = Cart()
    let events = try await log { memory in
      let task = Task {
        for await count in Observations({ cart.count }).lane("counts") where count == 1 { break }
      }
      await wait(memory, for: "counts next 0")
      cart.count = 1
      await task.value
    }
    #expect(events == ["counts subscribe", "counts next 0", "counts next 1", "counts disposed"])
  }

  @Test("An observer ends with the object that has it")
  func weakCapture() async throws {
    let cart = Cart()
    let events = try await log { memory in
      var screen: Screen? = Screen()
      screen?.showWeakly(cart)
      await wait(memory, for: "weak next 0")
      screen = nil
      await wait(memory, for: "weak disposed")
    }
    #expect(events.last == "weak disposed")
  }

  @Test("An observer that captures the object that has it is still active")
  func strongCapture() async throws {
    let cart = Cart()
    _ = try await log { memory in
      weak var screen: Screen?
      do {
        let new = Screen()
        screen = new
        new.showStrongly(cart)
        await wait(memory, for: "strong next 0")
      }
      #expect(screen != nil)
      let active = Trace.activeSubscriptions.filter { $0.lane == "strong" }
      #expect(active.count == 1)
      #expect(active.first?.site.source?.hasPrefix("TracedObservationTests/ObserveTests") == true)
    }
  }

  @Test("Without a log, the closure is called all the same")
  func off() async {
    let cart = Cart()
    let screen = Screen()
    screen.showWeakly(cart)
    let end = ContinuousClock.now + .seconds(20)
    while screen.shown.isEmpty, ContinuousClock.now < end { await Task.yield() }
    #expect(screen.shown == [0])
  }
}
