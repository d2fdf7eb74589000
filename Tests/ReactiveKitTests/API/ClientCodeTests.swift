import ClientsInSwift5
import ClientsInSwift6
import Foundation
import Testing

@Suite("Code written against ReactiveKit 3.x")
struct ClientCodeTests {
  private let expected = [
    "saved 1", "saved 2", "name 2",
    "1!", "1?", "1.", "offline", "lifted 1", "lifted 1", "busy", "busy", "1",
    "one", "tap", "edited", "3", "stored 4", "client.store client.names",
    "1 taps",
  ]

  @Test("does the same in both language modes")
  func modes() {
    #expect(ClientsInSwift5.runClients() == ClientsInSwift6.runClients())
  }

  @Test("is the same for both language modes")
  func files() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    func sources(_ target: String) throws -> [String: String] {
      let folder = tests.appendingPathComponent(target)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      return try Dictionary(
        uniqueKeysWithValues: names.map { name in
          (name, try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
        })
    }
    let files = try sources("ClientsInSwift5")
    #expect(files.count == 5)
    #expect(try sources("ClientsInSwift6") == files)
  }
}
