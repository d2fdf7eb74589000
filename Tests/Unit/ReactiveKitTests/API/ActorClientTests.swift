import ClientsInSwift6
import Foundation
import TestSupport
import Testing

@Suite("Actor code in Swift 6 language mode")
struct ActorClientTests {
  @Test("An actor's closure gets its events on the actor", arguments: ActorCase.all.map(\.name))
  func onActor(name: String) async throws {
    let found = try #require(ActorCase.all.first { $0.name == name })
    #expect(await found.runsOnActor())
  }
}

// Swift 6.2 has exit tests, but not with values from the test.
#if compiler(>=6.3)
  /// Each test runs in its own process, which the runtime check ends.
  @Suite("An actor's closure on another thread", .ownThread)
  struct WrongThreadTests {
    @Test(
      "An actor's closure that is called on another thread ends the process instead of racing",
      arguments: ActorCase.all.map(\.name))
    func elsewhere(name: String) async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.exitStatus, \.standardErrorContent]
      ) { [name = name as String] in
        ProcessLimits.endSomeTime()
        await ActorCase.all.first { $0.name == name }?.runsElsewhere()
        exit(0)
      }
      let ended = try #require(result)
      // The main actor is checked by libdispatch, which traps. Other actors are checked by the
      // Swift runtime, which prints the expected executor.
      let text = String(decoding: ended.standardErrorContent, as: UTF8.self)
      let isTrap = [.signal(SIGILL), .signal(SIGTRAP)].contains(ended.exitStatus)
      #expect(isTrap || text.contains("Incorrect actor executor assumption"), "\(text)")
    }
  }
#endif
