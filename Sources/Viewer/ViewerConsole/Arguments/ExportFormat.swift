/// The export formats. This is the only list of them: the command line, help, completions and names
/// of files use it.
package enum ExportFormat: String, OptionChoice {
  case perfetto, otlp, csv

  /// The endings of file names that choose the format. The first one is the usual one.
  var fileEndings: [String] {
    switch self {
    case .perfetto: [".pftrace", ".perfetto-trace"]
    case .otlp: [".otlp.json"]
    case .csv: [".csv"]
    }
  }
}

/// The name of an export file, whose ending determines the format.
package struct ExportName {
  package let format: ExportFormat

  package static let problem: String = {
    let endings = ExportFormat.allCases.compactMap { $0.fileEndings.first }
    let list = endings.dropLast().joined(separator: ", ")
    return "End the name in \(list) or \(endings.last ?? "") to choose the format."
  }()

  /// Creates the name of a file. Returns `nil` if it has no known ending, or nothing before the
  /// ending.
  package init?(_ path: String) {
    let name = path.split(separator: "/").last ?? ""
    let endings = ExportFormat.allCases.flatMap { format in
      format.fileEndings.map { (text: $0, format: format) }
    }
    guard let found = endings.first(where: { name.hasSuffix($0.text) && name != $0.text })
    else { return nil }
    format = found.format
  }

  /// Returns the names with a known ending that begin with a text.
  package static func completions(of path: String) -> [String] {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard !path[slash...].isEmpty else { return [] }
    let name = String(path[slash...])
    let endings = ExportFormat.allCases.flatMap(\.fileEndings)
    // What follows a point may be the beginning of an ending.
    let stems = name.indices.filter { name[$0] == "." }.map { String(name[..<$0]) } + [name]
    let names = stems.lazy.map { stem in
      endings.map { stem + $0 }.filter { $0.hasPrefix(name) && $0 != name && !stem.isEmpty }
    }
    return (names.first { !$0.isEmpty } ?? []).map { path[..<slash] + $0 }
  }

  /// Returns a lane name as the stem of a file name.
  package static func stem(of lane: String) -> String {
    let clean = lane.map { character in
      character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
        ? character : "-"
    }
    let stem = String(clean.prefix(60)).drop { $0 == "." || $0 == "-" }
    return stem.isEmpty ? "trace" : String(stem)
  }
}
