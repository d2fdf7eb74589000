import Testing

@testable import TerminalUI

/// The bytes that a terminal sends, and the inputs that they mean.
struct KeySample: Sendable, CustomTestStringConvertible {
  let bytes: String
  let inputs: [TerminalInput]

  var testDescription: String { bytes.debugDescription }

  private init(_ bytes: String, _ presses: KeyPress...) {
    self.init(bytes, inputs: presses.map(TerminalInput.key))
  }

  private init(_ bytes: String, inputs: [TerminalInput]) {
    self.bytes = bytes
    self.inputs = inputs
  }

  private init(mouse bytes: String, _ press: MousePress) {
    self.init("\u{1B}[<" + bytes, inputs: [.mouse(press)])
  }

  static let all =
    text + control + arrows + editing + functions + modified + kitty + pastes + mouse + swallowed

  private static let text = [
    KeySample("", inputs: []),
    KeySample("aZ/", KeyPress("a"), KeyPress("Z"), KeyPress("/")),
    KeySample("é日😀", KeyPress("é"), KeyPress("日"), KeyPress("😀")),
    KeySample("\u{1B}a", KeyPress("a", .alt)),
    KeySample("\u{1B}é", KeyPress("é", .alt)),
    KeySample("\u{1B}", KeyPress(.escape)),
    KeySample("\u{1B}\u{1B}", KeyPress(.escape), KeyPress(.escape)),
    KeySample("\u{1B}\u{1B}a", KeyPress(.escape), KeyPress("a", .alt)),
  ]

  private static let control = [
    KeySample("\u{1}\u{3}\u{1A}", .control("a"), .control("c"), .control("z")),
    KeySample("\u{0}\u{1C}\u{1F}", .control(" "), .control("\\"), .control("_")),
    KeySample("\r\n", KeyPress(.enter), KeyPress(.enter)),
    KeySample("\t", KeyPress(.tab)),
    KeySample("\u{7F}\u{8}", KeyPress(.backspace), KeyPress(.backspace)),
    KeySample("\u{1B}\r", KeyPress(.enter, .alt)),
    KeySample("\u{1B}\u{7F}", KeyPress(.backspace, .alt)),
    KeySample("\u{1B}[Z", KeyPress(.tab, .shift)),
  ]

  private static let arrows = [
    KeySample("\u{1B}[A\u{1B}[B", KeyPress(.up), KeyPress(.down)),
    KeySample("\u{1B}[C\u{1B}[D", KeyPress(.right), KeyPress(.left)),
    KeySample("\u{1B}OA\u{1B}OD", KeyPress(.up), KeyPress(.left)),
    KeySample("\u{1B}\u{1B}[A", KeyPress(.up, .alt)),
    KeySample("\u{1B}[a\u{1B}[d", KeyPress(.up, .shift), KeyPress(.left, .shift)),
    KeySample("\u{1B}Oa\u{1B}Oc", KeyPress(.up, .control), KeyPress(.right, .control)),
  ]

  private static let editing = [
    KeySample("\u{1B}[H\u{1B}[F", KeyPress(.home), KeyPress(.end)),
    KeySample("\u{1B}OH\u{1B}OF", KeyPress(.home), KeyPress(.end)),
    KeySample("\u{1B}[1~\u{1B}[4~", KeyPress(.home), KeyPress(.end)),
    KeySample("\u{1B}[7~\u{1B}[8~", KeyPress(.home), KeyPress(.end)),
    KeySample("\u{1B}[2~\u{1B}[3~", KeyPress(.insert), KeyPress(.delete)),
    KeySample("\u{1B}[5~\u{1B}[6~", KeyPress(.pageUp), KeyPress(.pageDown)),
    KeySample("\u{1B}[3$\u{1B}[3^", KeyPress(.delete, .shift), KeyPress(.delete, .control)),
    KeySample("\u{1B}[7@", KeyPress(.home, [.control, .shift])),
    KeySample("\u{1B}OM\u{1B}Op", KeyPress(.enter), KeyPress("0")),
    KeySample("\u{1B}Oj\u{1B}Ok", KeyPress("*"), KeyPress("+")),
  ]

  private static let functions = [
    KeySample("\u{1B}OP\u{1B}OS", KeyPress(.function(1)), KeyPress(.function(4))),
    KeySample("\u{1B}[[A\u{1B}[[E", KeyPress(.function(1)), KeyPress(.function(5))),
    KeySample("\u{1B}[11~\u{1B}[15~", KeyPress(.function(1)), KeyPress(.function(5))),
    KeySample("\u{1B}[17~\u{1B}[21~", KeyPress(.function(6)), KeyPress(.function(10))),
    KeySample("\u{1B}[23~\u{1B}[24~", KeyPress(.function(11)), KeyPress(.function(12))),
    KeySample("\u{1B}[28~\u{1B}[34~", KeyPress(.function(15)), KeyPress(.function(20))),
    KeySample("\u{1B}[1;5P", KeyPress(.function(1), .control)),
    KeySample("\u{1B}[1;2R", KeyPress(.function(3), .shift)),
    KeySample("\u{1B}O5P", KeyPress(.function(1), .control)),
    KeySample("\u{1B}O1;2Q", KeyPress(.function(2), .shift)),
  ]

  private static let modified = [
    KeySample("\u{1B}[1;5C", KeyPress(.right, .control)),
    KeySample("\u{1B}[1;4A", KeyPress(.up, [.alt, .shift])),
    KeySample("\u{1B}[5;2~", KeyPress(.pageUp, .shift)),
    KeySample("\u{1B}[24;8~", KeyPress(.function(12), [.alt, .control, .shift])),
    KeySample("\u{1B}[27;5;9~", KeyPress(.tab, .control)),
    KeySample("\u{1B}[27;2;13~", KeyPress(.enter, .shift)),
    KeySample("\u{1B}[27;5;105~", .control("i")),
    KeySample("\u{1B}[27;2;65~", KeyPress("A")),
    KeySample("\u{1B}[27;2;63~", KeyPress("?")),
  ]

  private static let kitty = [
    KeySample("\u{1B}[97u", KeyPress("a")),
    KeySample("\u{1B}[97;5u", .control("a")),
    KeySample("\u{1B}[97;2u", KeyPress("A")),
    KeySample("\u{1B}[47:63;2u", KeyPress("?")),
    KeySample("\u{1B}[97:65:113;3u", KeyPress("a", .alt)),
    KeySample("\u{1B}[97;1:1u\u{1B}[97;1:2u\u{1B}[97;1:3u", KeyPress("a"), KeyPress("a")),
    KeySample("\u{1B}[45;2;95u", KeyPress("_")),
    KeySample("\u{1B}[0;;233:97u", KeyPress("é"), KeyPress("a")),
    KeySample("\u{1B}[97;65u", KeyPress("a")),
    KeySample("\u{1B}[27u\u{1B}[13;2u", KeyPress(.escape), KeyPress(.enter, .shift)),
    KeySample("\u{1B}[9;2u\u{1B}[127;5u", KeyPress(.tab, .shift), KeyPress(.backspace, .control)),
    KeySample("\u{1B}[57352;5u\u{1B}[57420u", KeyPress(.up, .control), KeyPress(.down)),
    KeySample("\u{1B}[57400u\u{1B}[57413u", KeyPress("1"), KeyPress("+")),
    KeySample("\u{1B}[57364u\u{1B}[57376u", KeyPress(.function(1)), KeyPress(.function(13))),
    KeySample("\u{1B}[1;1:1A\u{1B}[1;5:3A\u{1B}[3;1:3~", KeyPress(.up)),
    KeySample("\u{1B}[57441;2u\u{1B}[57358u", inputs: []),
  ]

  private static let pastes = [
    KeySample("\u{1B}[200~q\r\u{1B}[A é\u{1B}[201~", inputs: [.paste("q\r\u{1B}[A é")]),
    KeySample("\u{1B}[200~\u{1B}[201~", inputs: [.paste("")]),
    KeySample(
      "\u{1B}[200~a\u{1B}[20\u{1B}\u{1B}[201~b",
      inputs: [.paste("a\u{1B}[20\u{1B}"), .key(KeyPress("b"))]),
    KeySample("\u{1B}[201~", inputs: []),
  ]

  private static let mouse = [
    KeySample(mouse: "0;1;1M", MousePress(kind: .press(button: 0), column: 0, row: 0)),
    KeySample(mouse: "2;300;20m", MousePress(kind: .release(button: 2), column: 299, row: 19)),
    KeySample(mouse: "33;5;6M", MousePress(kind: .drag(button: 1), column: 4, row: 5)),
    KeySample(mouse: "64;5;6M", MousePress(kind: .wheelUp, column: 4, row: 5)),
    KeySample(
      mouse: "85;5;6M",
      MousePress(kind: .wheelDown, column: 4, row: 5, modifiers: [.control, .shift])),
    KeySample(
      mouse: "8;5;6M", MousePress(kind: .press(button: 0), column: 4, row: 5, modifiers: .alt)),
    KeySample("\u{1B}[<35;5;6M\u{1B}[<66;1;1M\u{1B}[<128;1;1M\u{1B}[<0;0;1M", inputs: []),
    KeySample("\u{1B}[M !!q", KeyPress("q")),
  ]

  private static let swallowed =
    [
      "\u{1B}[I", "\u{1B}[O", "\u{1B}[?62;22c", "\u{1B}[>1;10;0c", "\u{1B}[?2026;2$y",
      "\u{1B}[4;1$y",
      "\u{1B}[12;40R", "\u{1B}[?1;1R", "\u{1B}[0n", "\u{1B}[8;24;80t", "\u{1B}[?1u", "\u{1B}[E",
      "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}", "\u{1B}]52;c;cQ==\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\",
      "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}^private\u{1B}\\", "\u{1B}P>|term(1)\u{1B}\\", "\u{1B}Oz",
      "\u{1B}[1\u{18}", "\u{1B}]unfinished", "\u{1B}[1;",
    ].map { KeySample($0, inputs: []) } + [
      KeySample("\u{1B}[1\u{1B}[A", KeyPress(.up)),
      KeySample("\u{1B}]text\rj", KeyPress(.enter), KeyPress("j")),
      KeySample("\u{1B}]text\u{1B}[A", KeyPress(.up)),
      KeySample("\u{1B}[1\u{3}", .control("c")),
    ]
}
