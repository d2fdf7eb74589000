import TerminalTestSupport
import Testing

@Suite("EmulatedScreen")
struct EmulatedScreenTests {
  @Test(
    "The emulated terminal shows text like a terminal of ten columns and three rows",
    arguments: [
      ("abc", ["abc", "", ""]),
      ("abcdefghijkl", ["abcdefghij", "kl", ""]),
      ("abcdefghij\r\nk", ["abcdefghij", "k", ""]),
      ("\u{1B}[?7labcdefghijkl", ["abcdefghil", "", ""]),
      ("abcdefghi日", ["abcdefghi", "日", ""]),
      ("a\r\nb\r\nc\r\nd", ["b", "c", "d"]),
      ("日本\u{1B}[2Gx", [" x本", "", ""]),
      ("日本\u{1B}[Gx", ["x 本", "", ""]),
      ("e\u{301}x👩‍👧y", ["e\u{301}x👩‍👧y", "", ""]),
      ("❤\u{FE0F}x", ["❤\u{FE0F}x", "", ""]),
      ("abc\u{1B}[2D\u{1B}[K", ["a", "", ""]),
      ("abc\u{1B}[2;4Hd\u{1B}[A\u{1B}[1K", ["", "   d", ""]),
      ("abc\r\nd\u{1B}[2J", ["", "", ""]),
      ("abc\r\nd\u{1B}[1;2H\u{1B}[J", ["a", "", ""]),
      ("a\r\nb\u{1B}[H\u{1B}[L", ["", "a", "b"]),
      ("a\r\nb\u{1B}[H\u{1B}[M", ["b", "", ""]),
      ("a\r\nb\u{1B}[H\u{1B}M", ["", "a", "b"]),
      ("a\r\nb\r\nc\u{1B}[1;2r\u{1B}[2H\n", ["b", "", "c"]),
      ("abc\u{8}\u{8}x\ty", ["axc     y", "", ""]),
    ])
  func text(written: String, lines: [String]) {
    var screen = EmulatedScreen(columns: 10, rows: 3)
    screen.feed(written.utf8)
    #expect(screen.lines == lines)
    #expect(screen.unknown == [])
    var piecewise = EmulatedScreen(columns: 10, rows: 3)
    for byte in written.utf8 { piecewise.feed([byte]) }
    #expect(piecewise.lines == lines)
  }

  @Test("Leaving the alternate screen restores the main screen")
  func alternate() {
    var screen = EmulatedScreen(columns: 10, rows: 3)
    screen.feed("main\u{1B}[?1049h\u{1B}[Hother".utf8)
    #expect(screen.isAlternate)
    #expect(screen.lines == ["other", "", ""])
    screen.feed("\u{1B}[?1049l!".utf8)
    #expect(screen.lines == ["main!", "", ""])
  }

  @Test(
    """
    The emulated terminal tracks modes, title, clipboard and updates, and collects unknown \
    sequences
    """)
  func modes() {
    var screen = EmulatedScreen(columns: 10, rows: 3)
    screen.feed("\u{1B}[?25l\u{1B}[?1002;1006h\u{1B}[?2004h\u{1B}[?2026h".utf8)
    #expect(!screen.isCursorShown && screen.reportsMouse && screen.bracketsPastes)
    #expect(screen.isUpdating && screen.updates == 0)
    screen.feed("\u{1B}[?2026l\u{1B}]0;title\u{7}\u{1B}]52;c;YQ==\u{1B}\\\u{7}".utf8)
    #expect(!screen.isUpdating && screen.updates == 1)
    #expect(screen.title == "title" && screen.clipboard == ["YQ=="] && screen.bells == 1)
    #expect(screen.unknown == [])
    screen.feed("\u{1B}[6n\u{1B}[5m".utf8)
    #expect(screen.unknown == ["CSI 6n", "CSI 5m"])
    #expect(screen.lines == ["", "", ""])
  }

  @Test("Resizing keeps the text that fits")
  func resized() {
    var screen = EmulatedScreen(columns: 10, rows: 3)
    screen.feed("abcdef\r\ng\r\nh".utf8)
    screen.resize(columns: 4, rows: 2)
    #expect(screen.lines == ["abcd", "g"])
    screen.resize(columns: 6, rows: 3)
    #expect(screen.lines == ["abcd", "g", ""])
  }
}
