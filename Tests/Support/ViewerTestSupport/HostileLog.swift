/// A log whose strings try to break every format.
package enum HostileLog {
  package static let harm =
    """
    \u{1B}]0;t\u{7}\u{9B}2J\u{202E}</script><img src=x \
    onerror=alert(1)>|`]]>```\n::error::x\u{2028}\u{0}
    """

  private static let escaped =
    #"""
    \u001b]0;t\u0007\u009b2J\u202e</script><img src=x \#
    onerror=alert(1)>|`]]>```\n::error::x\u2028\u0000
    """#

  /// Strings that are hard to show on a terminal, with JSON escapes.
  package static let texts = [
    #"\u001b]0;t\u0007\u009b2J\u0000\u007f"#, #"a\u202eb\u2066c\u200f\u061c"#,
    #"zero\u200dwidth\u200b\u200c\ufeff\u00ad"#, "e" + String(repeating: #"\u0301"#, count: 300),
    "日本語の名前", "👩‍👩‍👧‍👦🇩🇪❤️👍🏽", #"line\nbreak\r\nand\ttab\u2028"#, "::error::x", "##[group]x", "한국어",
    #"\u1112\u1161\u11ab"#, "العربية עברית", String(repeating: "long.", count: 1000),
    String(repeating: "語", count: 400), #"\u0301\u0302alone"#, " ", "",
  ]

  package static let text = """
    {"t":0,"event":"trace","version":1,"trace":"\(escaped)","process":"\(escaped)",\
    "host":"\(escaped)","started":"\(escaped)"}
    {"t":1,"event":"mark","name":"\(escaped)"}
    {"t":2,"event":"scope-begin","scope":1,"name":"\(escaped)"}
    {"t":3,"event":"subscribe","sub":1,"lane":"\(escaped)","source":"\(escaped)",\
    "function":"\(escaped)","type":"\(escaped)","scope":1,"thread":1}
    {"t":4,"event":"next","sub":1,"lane":"\(escaped)","value":"\(escaped)","thread":1}
    {"t":5,"event":"failed","sub":1,"lane":"\(escaped)","error":"\(escaped)","thread":1}
    {"t":6,"event":"subscribe","sub":2,"lane":"\(escaped)","source":"\(escaped)","thread":1}
    {"t":7,"event":"end","records":7,"lost":0}

    """

  /// Reports whether a string would affect a terminal or a CI service.
  package static func isObeyed(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0A: false
      case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    } || text.split(separator: "\n").contains { $0.drop { $0 == " " }.hasPrefix("::") }
  }
}
