import TestSupport

/// Logs for tests of exports.
package enum ExportSamples {
  /// A log with two lanes, a failure, a parent and a cause, a scope, a mark and a loss.
  package static let sample = SampleLog.make(
    [
      #"{"t":5,"event":"thread","thread":1,"name":"main"}"#,
      #"{"t":10,"event":"scope-begin","scope":1,"name":"launch"}"#,
      SampleLog.subscribe(1, "results", at: 1000),
      SampleLog.next(1, "results", at: 2500, "a"),
      SampleLog.subscribe(2, "request", at: 3000, line: 57, #","parent":1,"cause":1,"scope":1"#),
      #"""
      {"t":3500,"event":"next","sub":2,"lane":"request","value":"cu","truncated":900,"thread":1}
      """#,
      #"{"t":3600,"event":"mark","name":"typed"}"#,
      #"{"t":3700,"event":"lost","count":2,"reason":"disk full"}"#,
      SampleLog.end("failed", 2, "request", at: 4000),
      #"{"t":4500,"event":"scope-end","scope":1}"#,
    ], end: 5000)

  /// Strings that break formats, terminals and spreadsheets, with JSON escapes.
  package static let hostile = [
    #"=HYPERLINK(\"x\")"#, #"a,b\"c\""#, #"one\ntwo\r\nthree"#, #"\u0000\u001b]0;t\u0007\u009b2J"#,
    #"\u202eevil\u2066"#, #"\ud800half"#, "::error::x", "e\u{301} é", "👨‍👩‍👧", #"</script>"#, "",
  ]

  /// A log that uses each of these strings as a lane and as a value.
  package static let hostileLog = SampleLog.make(
    hostile.enumerated().flatMap { number, text in
      [
        SampleLog.subscribe(number + 1, text, at: 10 * number + 10),
        SampleLog.next(number + 1, text, at: 10 * number + 15, text),
      ]
    })

  /// The same strings without escapes.
  package static let hostileTexts = [
    #"=HYPERLINK("x")"#, #"a,b"c""#, "one\ntwo\r\nthree", "\0\u{1B}]0;t\u{7}\u{9B}2J",
    "\u{202E}evil\u{2066}", "\u{FFFD}half", "::error::x", "e\u{301} é", "👨‍👩‍👧", "</script>", "",
  ]
}
