/// A source location as text: a file and usually a line.
package struct SourceText {
  package let file: String
  package let line: Int?

  package init(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...])
    else {
      file = text
      self.line = nil
      return
    }
    file = String(text[..<colon])
    self.line = line
  }
}
