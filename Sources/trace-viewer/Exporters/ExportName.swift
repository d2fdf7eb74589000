/// The name of an export file, whose ending determines the format.
struct ExportName {
  let format: ExportFormat

  static let problem =
    "The name must end in .csv, .pftrace (Perfetto), .chrome.json or .otlp.json, which says the format."

  private static let endings: [(ending: String, format: ExportFormat)] = [
    (".csv", .csv), (".pftrace", .perfetto), (".perfetto-trace", .perfetto),
    (".otlp.json", .otlp), (".chrome.json", .chrome), (".json", .chrome),
  ]

  init?(_ path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let found = Self.endings.first(where: { name.hasSuffix($0.ending) && name != $0.ending })
    else { return nil }
    format = found.format
  }

  /// Returns a lane name as the stem of a file name.
  static func stem(of lane: String) -> String {
    let clean = lane.map { character in
      character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
        ? character : "-"
    }
    let stem = String(clean.prefix(60)).drop { $0 == "." || $0 == "-" }
    return stem.isEmpty ? "trace" : String(stem)
  }
}
