import TraceFormat

extension Trace {
  /// Patterns that select the lanes to trace.
  ///
  /// Commas separate the patterns. In a pattern, `*` stands for any text and `?` for one character.
  /// A pattern with a leading minus sign excludes lanes.
  ///
  ///     search.*           the lanes of the search
  ///     search.*,-*.tick   the lanes of the search except ticks
  ///     -*.tick            all lanes except ticks
  public struct LanePatterns: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The patterns that select every lane.
    public static let all = LanePatterns("")

    private let wanted: [GlobPattern]
    private let unwanted: [GlobPattern]

    public init(_ text: String) {
      var wanted: [GlobPattern] = []
      var unwanted: [GlobPattern] = []
      for part in text.split(separator: ",") {
        let pattern = Array(part.utf8.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed())
        if pattern.first == UInt8(ascii: "-") {
          unwanted.append(GlobPattern(String(decoding: pattern.dropFirst(), as: UTF8.self)))
        } else if !pattern.isEmpty {
          wanted.append(GlobPattern(String(decoding: pattern, as: UTF8.self)))
        }
      }
      self.wanted = wanted
      self.unwanted = unwanted
    }

    public init(stringLiteral text: String) { self.init(text) }

    /// Returns whether a lane with this name is traced.
    public func matches(_ lane: String) -> Bool {
      if wanted.isEmpty, unwanted.isEmpty { return true }
      if unwanted.contains(where: { $0.matches(lane) }) { return false }
      return wanted.isEmpty || wanted.contains { $0.matches(lane) }
    }
  }
}
