import ReactiveKit
import SwiftRuntime
import Testing

@testable import ReactiveTrace

@Suite("Observations that begin", .serialized)
struct BeginningObservationTests {
  private let recorder: Recorder

  init() throws { recorder = try Recorder(path: nil) }

  private func begin(_ chain: ChainDisposable) -> BeginningObservation {
    let observation = BeginningObservation(
      RecorderHandle(recorder), type: Metadata.address(of: Int.self), parent: .none,
      isOwnCall: true, outer: ThreadContext.current.beginning, place: recorder.locations.here())
    var start = ObservationStart()
    _ = observation.begin(
      { (_: Signal<Int, Never>.Event) in }, chain, &start, ValueWriter(nil, .all, recorder))
    return observation
  }

  private func isBeginning(_ observation: BeginningObservation) -> Bool {
    ThreadContext.current.beginning.map { $0.takeUnretainedValue() === observation } ?? false
  }

  @Test("The thread has the list of observations that begin, in any order of their ends")
  func order() {
    let chains = (0..<4).map { _ in ChainDisposable() }
    let all = chains.map(begin)
    #expect(isBeginning(all[3]))
    all[3].didAttach(chains[3], ObservationStart())
    #expect(isBeginning(all[2]))
    // Code that switches between stacks can end an outer observation first.
    all[1].didAttach(chains[1], ObservationStart())
    #expect(isBeginning(all[2]))
    #expect(all[2].outer?.takeUnretainedValue() === all[0])
    all[2].didAttach(chains[2], ObservationStart())
    #expect(isBeginning(all[0]))
    all[0].didAttach(chains[0], ObservationStart())
    #expect(ThreadContext.current.beginning == nil)
    #expect(all.allSatisfy { $0.outer == nil })
    for chain in chains { chain.dispose() }
  }
}
