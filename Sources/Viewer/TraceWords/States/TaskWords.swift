package import TraceAnalysis
package import TraceFormat
package import ViewerConsole

/// The words for what the tasks of a log do when it ends. All of them are safe to display.
package struct TaskWords {
  private let log: LogAnalysis
  private let page: Page
  /// The maximum number of tasks that a sentence names.
  private static let maxNames = 3

  package init(_ log: LogAnalysis, _ page: Page) {
    self.log = log
    self.page = page
  }

  /// Returns the name of a task, such as `#4 order.ship`, or `task #4 'worker'` for one of a
  /// process that was inspected.
  package func name(_ index: Int) -> String {
    let lifecycle = log.lifecycles[index]
    if isInspected(index), let task = log.unfinishedTask(of: index) {
      return page.safe("task #\(task.number)" + (task.name.map { " '\($0)'" } ?? ""))
    }
    return page.safe("\(log.name(of: lifecycle)) \(lifecycle.site.lane)")
  }

  private func isInspected(_ index: Int) -> Bool {
    log.logs[Int(log.lifecycles[index].log)].inspection != nil
  }

  /// Returns what a task does, since when and where, such as "waits for a continuation at
  /// Store.swift:12 for 3.2 s".
  package func sentence(_ present: PresentWait, of index: Int) -> String {
    [state(present, of: index), place(present).map { "at \($0)" }, time(present, of: index)]
      .compactMap(\.self).joined(separator: " ")
  }

  /// Returns the sentence without the tasks that it waits for, for a place that shows them anyway.
  package func brief(_ present: PresentWait, of index: Int) -> String {
    guard case .waits(let wait) = present.activity, wait == .task || wait == .group else {
      return sentence(present, of: index)
    }
    let words = (present.isCanceled ? "canceled, " : "") + "waits"
    return [words, place(present).map { "at \($0)" }, time(present, of: index)]
      .compactMap(\.self).joined(separator: " ")
  }

  /// Returns the number of a task in its process, and the name that the program gave to it; nil if
  /// neither is known.
  package func identity(_ present: PresentWait) -> String? {
    let number = present.number.map { "number \($0) in its process" }
    let name = present.name.map { "'\(page.safeBeginning($0))'" }
    guard number != nil || name != nil else { return nil }
    return [number, name].compactMap(\.self).joined(separator: "  ")
  }

  /// Returns the file and line where a task waits, without folders.
  package func place(_ present: PresentWait) -> String? {
    guard case .waits = present.activity else { return nil }
    return (present.source.map(Self.withoutFolders) ?? present.function).map(page.safeBeginning)
  }

  /// Returns the time that a task has waited until now.
  package func time(_ present: PresentWait, of index: Int) -> String? {
    guard let since = present.since else { return nil }
    let time = log.logs[Int(log.lifecycles[index].log)].lastTime.since(since)
    guard isInspected(index) else { return "for \(page.duration(time))" }
    return Self.stay(time, page)
  }

  /// Returns the words for a time in the same place, or nil if it is shorter than a second.
  package static func stay(_ time: Nanoseconds, _ page: Page) -> String? {
    time.count < 1_000_000_000 ? nil : "(in the same place for \(page.duration(time)))"
  }

  /// Returns what a task does, such as "waits for #5 search.load".
  package func state(_ present: PresentWait, of index: Int) -> String {
    (present.isCanceled ? "canceled, " : "") + words(present, index)
  }

  private func words(_ present: PresentWait, _ index: Int) -> String {
    guard case .waits(let wait) = present.activity else {
      return present.thread.map { "\(WaitWords.runs) on thread \($0)" } ?? WaitWords.runs
    }
    switch wait {
    case nil: return WaitWords.unknown
    case .task: return "waits for " + names(present.awaited, index)
    case .group: return WaitWords.group
    case .executor where present.needsThread: return WaitWords.thread
    case .executor:
      return WaitWords.turn + (present.executor.map { " on \(page.safe($0))" } ?? "")
    case .continuation:
      let words = WaitWords.continuation(present.pause)
      switch present.reach {
      case .lost: return words + " that nothing can resume"
      case .itself: return words + " that only the task itself has"
      case .open, .dependent, .circle, nil: return words
      }
    }
  }

  private func names(_ awaited: [SubscriptionID], _ index: Int) -> String {
    guard !awaited.isEmpty else { return "a task" }
    let number = Int(log.lifecycles[index].log)
    let names = awaited.prefix(Self.maxNames).map { id -> String in
      guard let other = log.index(of: id, log: number) else { return "\(id) (not in the log)" }
      if other == index { return "its own end" }
      return name(other) + (log.lifecycles[other].isActive ? "" : " (has ended)")
    }
    let rest = awaited.count - names.count
    return names.joined(separator: ", ") + (rest > 0 ? " and \(CountText.make(rest, "other"))" : "")
  }

  private static func withoutFolders(_ source: String) -> String {
    source.lastIndex(of: "/").map { String(source[source.index(after: $0)...]) } ?? source
  }

  /// Returns how often a task waited, for how long, and for what.
  package func sums(_ sums: LogAnalysis.WaitSums) -> String {
    let total = sums.times.reduce(0) { $0 &+ $1.time.count }
    let parts = sums.times.map { "\(page.duration($0.time)) \(Self.purpose($0.wait))" }
    let times = sums.count == 1 ? "once" : "\(CountText.number(sums.count)) times"
    let all = page.duration(Nanoseconds(total))
    guard parts.count > 1 else {
      return "\(times), for \(all) \(Self.purpose(sums.times.first?.wait))"
    }
    return "\(times), for \(all): " + parts.joined(separator: ", ")
  }

  /// Returns what a wait is for, such as "for a continuation".
  package static func purpose(_ wait: UnfinishedTask.Wait?) -> String {
    switch wait {
    case .continuation: "for a continuation"
    case .task: "for a task"
    case .group: "for a group"
    case .executor: "for its turn"
    case nil: "for something unknown"
    }
  }
}
