import Testing

/// Tests that compare whole screens with the files in `Screens`.
@Suite("Screens")
struct ScreenViewTests {
  @Test("Screens match the golden files", arguments: Scene.all)
  func golden(scene: Scene) throws {
    let sizes = [Scene.Size(columns: 80, rows: 24)] + scene.sizes
    let shown = try sizes.map { size in
      let title = "== \(size.columns)x\(size.rows)\(size.isASCII ? ", ASCII" : "")"
      let lines = try scene.stage(size).screen
      return ([title] + lines).map { $0 + "\n" }.joined()
    }.joined()
    let expected = try GoldenFile.expected(scene.name, shown: shown)
    #expect(shown == expected, "\(scene.name):\n\(shown)")
  }

  @Test("ASCII screens contain only ASCII", arguments: Scene.all)
  func ascii(scene: Scene) throws {
    for (columns, rows) in [(80, 24), (120, 40), (40, 10), (20, 5)] {
      let stage = try scene.stage(Scene.Size(columns: columns, rows: rows, isASCII: true))
      for line in stage.screen {
        let other = line.unicodeScalars.filter { !(0x20..<0x7F).contains($0.value) }
        #expect(other.isEmpty, "\(columns)x\(rows): \(line)")
      }
    }
  }

  @Test("Every scene has a different screen")
  func different() throws {
    let screens = try Scene.all.map { try $0.stage(Scene.Size(columns: 80, rows: 24)).screen }
    #expect(Set(screens).count == screens.count)
  }
}
