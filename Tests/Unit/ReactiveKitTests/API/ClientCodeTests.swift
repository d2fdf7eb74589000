import ClientsInSwift5
import ClientsInSwift6
import Foundation
import TestSupport
import Testing

@Suite("Code written against ReactiveKit 3.x")
struct ClientCodeTests {
  private let loading: [String] =
    ["saved 1", "saved 2", "name 2", "1!", "1?", "1.", "offline", "lifted 1", "lifted 1"]
    + ["busy", "busy", "1"] + Array(repeating: ["loading", "1", "reloading"], count: 6).joined()

  private let expected = [
    "one", "tap", "edited", "3", "stored 4", "client.store client.names",
    "optional 5", "optional 0", "optional 8", "optional 9", "nested 7",
    "2 taps", "shared 1", "1 start", "3", "2", "event", "will change", "volume 2",
    "event", "true", "42", "a", "b", "status(404)", "false", "7",
  ]

  private let bridging = [
    "answer 1", "dematerialized offline", "replayed 2", "history 3", "true false",
    "[true, false]", "failed", "joined 4", "joined 5", "6", "7", "0",
  ]

  @Test("Code written against ReactiveKit 3.x behaves as before in both language modes")
  func modes() {
    #expect(ClientsInSwift5.runClients() == loading + expected + bridging)
    #expect(ClientsInSwift6.runClients() == loading + expected + bridging)
  }

  @Test("Clients on the main actor show elements from other threads in both language modes")
  @MainActor
  func mainActor() async {
    let shown = ["2", "2 EUR", "next(0)", "next(1)", "next(3)", "completed", "closed"]
    #expect(await ClientsInSwift5.mainActorClient().sorted() == shown.sorted())
    #expect(await ClientsInSwift6.mainActorClient().sorted() == shown.sorted())
  }

  // Language mode 6 also has client code with actors.
  @Test("Both language modes have the same client code")
  func files() throws {
    func names(_ target: String) throws -> Set<String> {
      let folder = PackageFolder.url.appending(path: "Tests/Programs/\(target)")
      return Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }
    #expect(try names("ClientsInSwift5") == names("ClientsInSwift6").subtracting(["Actors"]))
  }
}
