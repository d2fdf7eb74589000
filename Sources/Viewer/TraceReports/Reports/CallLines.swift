import TerminalUI
import TraceFormat
import TraceWords
import ViewerConsole

/// The calls of a task or a thread, innermost first.
struct CallLines {
  /// The maximum number of lines, and the number of innermost and outermost ones if there are more.
  private static let maxLines = 14
  private static let innermost = 9
  private static let outermost = 4
  /// The number of calls of libraries between two calls of the user's code that are shown, if there
  /// are more.
  private static let maxBetween = 2

  let calls: [UnfinishedTask.Call]
  /// A Boolean value that indicates whether to show everything, and not only the user's code.
  let isFull: Bool
  /// What shows the rest if there are too many lines.
  let hint: String

  func lines(_ indent: String, _ page: Page) -> [Line] {
    var lines: [Line] = []
    var run: (text: String, isUser: Bool, count: Int)?
    func endRun() {
      guard let ended = run else { return }
      // Parts of one function that the compiler inlined have the same line.
      let times = ended.count > 2 ? "  (\(CountText.number(ended.count)) times)" : ""
      let room = max(16, page.width - indent.count - times.count)
      var line = Line(indent)
      line.append(page.cutMiddle(page.safe(ended.text), to: room), ended.isUser ? .plain : .dim)
      line.append(times, .dim)
      lines.append(line)
      run = nil
    }
    var libraryCalls = 0
    let lastOfUser = calls.lastIndex { $0.origin == .user }
    func endLibrary() {
      let hidden = libraryCalls - Self.maxBetween
      libraryCalls = 0
      guard hidden > 0 else { return }
      endRun()
      lines.append(Line("\(indent)+\(CountText.make(hidden, "call")) of libraries", .dim))
    }
    for (number, call) in calls.enumerated() {
      if call.missing > 0 {
        endLibrary()
        endRun()
        lines.append(Line("\(indent)\(CountText.make(call.missing, "more call")) not read", .dim))
      }
      if call.origin == .user { endLibrary() }
      if !isFull, call.isShown, call.origin == .dependency, number < lastOfUser ?? 0 {
        libraryCalls += 1
        if libraryCalls > Self.maxBetween { continue }
      }
      guard call.missing == 0, isFull || call.isShown else { continue }
      let text = HangWords.place(call)
      if let last = run, !isFull, last.text == text {
        run?.count += 1
      } else {
        endRun()
        run = (text, call.origin == .user || call.origin == .entry, 1)
      }
    }
    endRun()
    guard !isFull, lines.count > Self.maxLines else { return lines }
    let hidden = lines.count - Self.innermost - Self.outermost
    return lines.prefix(Self.innermost)
      + [Line("\(indent)+\(CountText.make(hidden, "line"))\(hint)", .dim)]
      + lines.suffix(Self.outermost)
  }
}

extension UnfinishedTask.Call {
  /// A Boolean value that indicates whether the call is of code that isn't the system's, and not
  /// only the start of the program. The calls of a log that a process wrote are.
  var isShown: Bool { origin != .entry && isOfUser }

  /// A Boolean value that indicates whether the call is of code that isn't the system's.
  var isOfUser: Bool { missing == 0 && origin != .system && origin != .generated }
}
