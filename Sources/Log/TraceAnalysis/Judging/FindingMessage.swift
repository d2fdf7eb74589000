package import TraceFormat

/// A sentence with figures and text from the log in it. The code that shows the sentence formats
/// them.
///
///     "alive for \(age) since \(start); \(count: 3, "element") of \(lane)"
package struct FindingMessage: Equatable, Sendable, ExpressibleByStringInterpolation {
  package enum Piece: Equatable, Sendable {
    case words(String)
    /// Text from the log that is not yet safe to show.
    case text(String)
    case duration(Nanoseconds)
    /// A count, with its noun in the singular.
    case count(Int, String)
  }

  private let words: [Piece]
  /// The figures that replace those in `words`, in order; nil to use those in `words`.
  private let figures: Figures?

  private struct Figures {
    let first: UInt64
    let second: UInt64
  }

  package init(stringLiteral words: String) {
    self.words = [.words(words)]
    figures = nil
  }

  package init(stringInterpolation: StringInterpolation) {
    words = stringInterpolation.pieces
    figures = nil
  }

  /// Creates a message with the words of another one and one or two figures of its own. All
  /// messages with the same words share their memory, because a log may have a million findings.
  init(_ pattern: FindingMessage, _ first: UInt64, _ second: UInt64 = 0) {
    words = pattern.words
    figures = Figures(first: first, second: second)
  }

  package var pieces: [Piece] {
    var pieces: [Piece] = []
    forEachPiece { pieces.append($0) }
    return pieces
  }

  @inline(__always)
  private func forEachPiece(_ body: (Piece) -> Void) {
    guard let figures else { return words.forEach(body) }
    var (next, later) = (figures.first, figures.second)
    for piece in words {
      switch piece {
      case .duration: body(.duration(Nanoseconds(next)))
      case .count(_, let one): body(.count(Int(clamping: next), one))
      case .words, .text:
        body(piece)
        continue
      }
      (next, later) = (later, 0)
    }
  }

  package static func == (left: FindingMessage, right: FindingMessage) -> Bool {
    left.pieces == right.pieces
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ words: String) {
      if !words.isEmpty { pieces.append(.words(words)) }
    }

    package mutating func appendInterpolation(_ text: String) {
      pieces.append(.text(text))
    }

    package mutating func appendInterpolation(_ duration: Nanoseconds) {
      pieces.append(.duration(duration))
    }

    package mutating func appendInterpolation(_ number: Int) {
      pieces.append(.words(String(number)))
    }

    package mutating func appendInterpolation(count: Int, _ one: String) {
      pieces.append(.count(count, one))
    }

    package mutating func appendInterpolation(_ phrase: FindingMessage) {
      pieces += phrase.pieces
    }
  }

  /// Returns the sentence, with each piece formatted by one of the functions.
  package func text(
    text: (String) -> String, duration: (Nanoseconds) -> String, count: (Int, String) -> String
  ) -> String {
    var sentence = ""
    forEachPiece { piece in
      switch piece {
      case .words(let words): sentence += words
      case .text(let words): sentence += text(words)
      case .duration(let time): sentence += duration(time)
      case .count(let number, let one): sentence += count(number, one)
      }
    }
    return sentence
  }
}
