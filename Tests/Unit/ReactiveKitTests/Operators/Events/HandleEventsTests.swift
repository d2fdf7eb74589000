import ReactiveKit
import TestSupport
import Testing

@Suite("handleEvents")
struct HandleEventsTests {
  private func handled(_ signal: Signal<Int, TestError>, _ note: @escaping (String) -> Void)
    -> Signal<Int, TestError>
  {
    signal.handleEvents(
      receiveSubscription: { note("subscribed") },
      receiveOutput: { note("\($0)") },
      receiveCompletion: { note("\($0 == .finished ? "finished" : "failed")") },
      receiveCancel: { note("canceled") })
  }

  @Test("handleEvents calls each closure before it forwards the event, and receiveCancel last")
  func order() {
    var steps: [String] = []
    let signal = handled(Signal(sequence: 1...2)) { steps.append($0) }
    _ = signal.observe { event in steps.append(event.element.map { "got \($0)" } ?? "got end") }
    #expect(
      steps == [
        "subscribed", "1", "got 1", "2", "got 2", "finished", "got end", "canceled",
      ])
  }

  @Test("handleEvents calls receiveCompletion for a failure")
  func failure() {
    var steps: [String] = []
    _ = handled(.failed(TestError())) { steps.append($0) }.observe { _ in }
    #expect(steps == ["subscribed", "failed", "canceled"])
  }

  @Test("handleEvents calls receiveCancel once, even if the observation is disposed twice")
  func disposal() {
    var steps: [String] = []
    let disposable = handled(.never()) { steps.append($0) }.observe { _ in }
    disposable.dispose()
    disposable.dispose()
    #expect(steps == ["subscribed", "canceled"])
  }

  @Test("handleEvents works without any closure")
  func noClosures() {
    #expect(marbles("1-2|") { $0.handleEvents() } == "1-2|")
  }

  @Test("handleEvents calls receiveCancel for each attempt of a retry")
  func retry() {
    var steps: [String] = []
    _ = handled(.failed(TestError())) { steps.append($0) }.retry(1).observe { _ in }
    #expect(
      steps == ["subscribed", "failed", "canceled", "subscribed", "failed", "canceled"])
  }
}
