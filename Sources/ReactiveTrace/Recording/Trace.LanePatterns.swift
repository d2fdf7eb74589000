extension Trace {
  /// Which lanes are traced: patterns with commas between them, in which `*` stands for any text and `?` for one character. One
  /// with a minus sign before it takes lanes out.
  ///
  ///     search.*           those of the search
  ///     search.*,-*.tick   but not their ticks
  ///     -*.tick            all but ticks
  public struct LanePatterns: Sendable, Equatable, ExpressibleByStringLiteral {
    /// Every lane.
    public static let all = LanePatterns("")

    private let wanted: [[UInt8]]
    private let unwanted: [[UInt8]]

    public init(_ text: String) {
      var wanted: [[UInt8]] = []
      var unwanted: [[UInt8]] = []
      for part in text.split(separator: ",") {
        let pattern = Array(part.utf8.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed())
        if pattern.first == UInt8(ascii: "-") {
          unwanted.append(Array(pattern.dropFirst()))
        } else if !pattern.isEmpty {
          wanted.append(pattern)
        }
      }
      self.wanted = wanted
      self.unwanted = unwanted
    }

    public init(stringLiteral text: String) { self.init(text) }

    /// Whether a lane of that name is traced.
    public func matches(_ lane: String) -> Bool {
      if wanted.isEmpty, unwanted.isEmpty { return true }
      let name = Array(lane.utf8)
      if unwanted.contains(where: { Self.matches($0[...], name[...]) }) { return false }
      return wanted.isEmpty || wanted.contains { Self.matches($0[...], name[...]) }
    }

    /// Goes back to the last star where the text does not fit, so the time is at most the product of both lengths.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
      var (place, position) = (pattern.startIndex, text.startIndex)
      var star: (place: Int, position: Int)?
      while position < text.endIndex {
        let letter = place < pattern.endIndex ? pattern[place] : 0
        if letter == UInt8(ascii: "*"), place < pattern.endIndex {
          star = (place, position)
          place += 1
        } else if letter == UInt8(ascii: "?"), place < pattern.endIndex {
          place += 1
          position = endOfCharacter(text, position)
        } else if place < pattern.endIndex, letter == text[position] {
          place += 1
          position += 1
        } else if let last = star {
          star?.position += 1
          place = last.place + 1
          position = last.position + 1
        } else {
          return false
        }
      }
      return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// Behind the Unicode scalar that begins at `position`.
    private static func endOfCharacter(_ text: ArraySlice<UInt8>, _ position: Int) -> Int {
      var end = position + 1
      while end < text.endIndex, text[end] & 0xC0 == 0x80 { end += 1 }
      return end
    }
  }
}
