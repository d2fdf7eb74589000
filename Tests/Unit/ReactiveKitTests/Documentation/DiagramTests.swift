import TestSupport
import Testing

/// Tests that play the marble diagrams of the documentation.
@Suite("The diagrams of the documentation")
struct DiagramTests {
  @Test(
    "A diagram in the documentation matches the behavior of the library",
    arguments: try DocumentationPage.all().flatMap(\.diagrams))
  func played(diagram: MarbleDiagram) {
    #expect(!diagram.results.isEmpty, "The diagram has no result.")
    DiagramStage(diagram).play(diagram, DiagramTable.pages[diagram.page] ?? [:])
  }

  @Test(
    "Each entry in the diagram table is drawn on its page",
    arguments: DiagramTable.pages.keys.sorted())
  func drawn(page: String) throws {
    let drawn = try DocumentationPage.all().filter { $0.name == page }.flatMap(\.diagrams)
      .flatMap(\.results).map(\.label)
    let plays = DiagramTable.pages[page] ?? [:]
    #expect(Set(plays.keys).subtracting(drawn) == [], "\(page) does not draw these.")
  }

  @Test("A diagram in the documentation has one row for each input")
  func inputs() throws {
    for diagram in try DocumentationPage.all().flatMap(\.diagrams) {
      let labels = diagram.inputs.map(\.label)
      #expect(Set(labels).count == labels.count, "\(diagram)")
    }
  }
}

/// Tests of the diagram parser.
@Suite("A marble diagram")
struct MarbleDiagramTests {
  private func diagram(_ text: String) -> MarbleDiagram {
    MarbleDiagram(page: "Page", line: 1, lines: text.split(separator: "\n"))
  }

  @Test("A marble diagram has inputs with one-word labels and results with expressions")
  func labels() {
    let diagram = diagram(
      """
      source      --1--|
      merge(a, b) --1--|
      """)
    #expect(diagram.inputs.map(\.label) == ["source"])
    #expect(diagram.results.map(\.label) == ["merge(a, b)"])
    #expect(diagram.results.map(\.marbles) == ["--1--|"])
  }

  @Test("A marble diagram can have rows that start later")
  func starts() {
    let diagram = diagram(
      """
      a     --1|
      b        --2|
      f()   --1--2|
      """)
    #expect(diagram.rows.map(\.start) == [0, 3, 0])
    #expect(diagram.rows.map(\.lastSecond) == [3, 6, 6])
  }

  @Test("A marble diagram counts a group or a long element as one second")
  func length() {
    let diagram = diagram("f()  --[next(1)]-(12)--([failed]|)")
    #expect(diagram.lastSecond == 7)
  }

  @Test("A marble diagram ignores trailing time in a row")
  func events() {
    #expect(diagram("f()  --1---").rows.map(\.events) == ["--1"])
    #expect(diagram("f()  -----").rows.map(\.events) == [""])
  }

  @Test("A marble diagram is read from a page with its line number")
  func blocks() {
    let page = DocumentationPage(
      name: "Page",
      text: "# Title\n\n```marbles\na  --1|\n\nf()  --1|\n```\n\n```swift\nlet a = 1\n```\n")
    #expect(page.diagrams.map(\.line) == [4])
  }
}
