import Foundation
import TestSupport

/// A page of the documentation of ReactiveKit.
struct DocumentationPage {
  let name: String
  let text: String

  static func all() throws -> [DocumentationPage] {
    let catalog = PackageFolder.url.appending(path: "Sources/ReactiveKit/ReactiveKit.docc")
    return try FileManager.default.contentsOfDirectory(atPath: catalog.path)
      .filter { $0.hasSuffix(".md") }.sorted().map { file in
        DocumentationPage(
          name: String(file.dropLast(3)),
          text: try String(contentsOf: catalog.appending(path: file), encoding: .utf8))
      }
  }

  /// The blocks that are fenced as `marbles`.
  var diagrams: [MarbleDiagram] {
    var diagrams: [MarbleDiagram] = []
    var block: [Substring]?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line == "```marbles" {
        block = []
      } else if let lines = block, line == "```" {
        diagrams.append(
          MarbleDiagram(page: name, line: index + 1 - lines.count, lines: lines))
        block = nil
      } else {
        block?.append(line)
      }
    }
    return diagrams
  }

  /// The names of the symbols that the page lists, each with the suffix that distinguishes
  /// overloads: `SignalProtocol/merge(with:)-4xj2k`.
  var listedSymbols: [String] {
    text.matches(of: #/^- ``(.+?)``$/#.anchorsMatchLineEndings()).map { String($0.output.1) }
  }

  /// The headings of operators.
  var headings: [String] {
    text.matches(of: #/^### (.+)$/#.anchorsMatchLineEndings()).map { String($0.output.1) }
  }

  /// The strings on the page that are formatted as code or as links to symbols.
  var codeSpans: [String] {
    text.matches(of: #/(`{1,2})([^`\n]+)\1/#).map { String($0.output.2) }
  }
}
