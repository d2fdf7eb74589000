package import TraceAnalysis
package import TraceFormat
import ViewerConsole

/// The words for what threads do, and for why processes hang.
package enum HangWords {
  /// Returns a call as a person would name it: its function and its line.
  package static func place(_ call: UnfinishedTask.Call) -> String {
    guard let function = call.function ?? call.code else { return "(\(call.source ?? "?"))" }
    return call.source.map { "\(function) (\($0))" } ?? function
  }

  /// Returns what a thread does, such as "waits for a semaphore".
  package static func activity(_ activity: ThreadActivity) -> String {
    let object = activity.object
    let holder = activity.holder.map { "thread \($0)" }
    return switch activity.kind {
    case .running: "runs"
    case .semaphore: "waits for a semaphore"
    case .lock: "waits for a lock" + (holder.map { " that \($0) holds" } ?? "")
    case .condition: "waits for a condition"
    case .queue:
      "waits for the dispatch queue\(object.map { " '\($0)'" } ?? "")"
        + (holder.map { ", which \($0) uses" } ?? "")
    case .group: "waits for a dispatch group"
    case .sleep: "sleeps"
    case .child: "waits for a child process"
    case .join: "waits for the end of \(holder ?? "another thread")"
    case .read: "waits for input" + (object.map { " from \($0)" } ?? "")
    case .write: "waits to write" + (object.map { " to \($0)" } ?? "")
    case .events: "waits for an event"
    case .accept: "waits for a connection" + (object.map { " to \($0)" } ?? "")
    case .connect: "connects" + (object.map { " to \($0)" } ?? "")
    case .open: "waits for somebody else to open \(object ?? "a file")"
    case .barrier: "waits for other threads at a barrier"
    case .signal: "waits for a signal"
    case .fileLock:
      "waits for a file lock" + (object.map { " on \($0)" } ?? "")
        + (activity.process.map { ", which process \($0) has" } ?? "")
    case .once where object == nil && holder == nil:
      "waits for another thread to initialize a variable"
    case .once:
      "waits for the initialization of \(object ?? "a variable")"
        + (holder.map { ", which \($0) runs" } ?? "")
    case .message: "waits for a message"
    case .stopped: "is stopped"
    case .idle: "waits for work"
    case .other: "waits in the system"
    }
  }

  /// Returns what a finding says, in a sentence or, if threads wait for each other, in several.
  ///
  /// - Parameter isHang: A Boolean value that indicates whether the process is known to hang. A
  ///   process that was only looked at may be at work or at rest.
  package static func sentence(_ hang: Hang, in log: TraceLog, isHang: Bool) -> String {
    let test = hang.test.map { "the test \($0)" }
    let subject =
      isHang
      ? "\(test.map { "T" + $0.dropFirst() } ?? "The process") hangs because"
      : "If \(test ?? "the process") hangs, it does so because"
    let at = hang.places.first.map { " in \(place($0))" } ?? ""
    switch hang.cause {
    case .stopped:
      guard let tracer = log.inspection?.tracer else {
        return "A signal has stopped the process. The command 'kill -CONT "
          + "\(log.header?.pid ?? 0)' continues it."
      }
      return "Process \(tracer), such as a debugger, has stopped the process."
    case .taskCycle where hang.tasks.count == 1:
      return "A task waits for its own end\(at)."
    case .taskCycle:
      return "\(CountText.make(hang.tasks.count, "task")) wait for each other's ends."
    case .lockCycle: return cycle(hang, log)
    case .blockedPool where hang.executor != nil:
      return
        "All \(CountText.make(hang.threads.count, "thread")) of the dispatch queue "
        + "'\(hang.executor ?? "")' are blocked, so no other work of the queue can run."
    case .blockedPool:
      return
        "All \(CountText.make(hang.threads.count, "thread")) that run tasks are blocked, so "
        + "no other task can run."
    case .blockedThread, .busy:
      guard !hang.threads.isEmpty else { return "\(subject) a task is busy\(at)." }
      return threads(hang, subject, log)
    case .continuation where hang.isProven:
      return "\(subject) nothing can resume the continuation\(at)."
    case .continuation where hang.pause == nil:
      return "\(subject) nobody has resumed the continuation\(at)."
    case .continuation:
      return "\(subject) a task \(WaitWords.continuation(hang.pause))\(at)."
    case .executor:
      return "\(subject) a task \(WaitWords.turn) on \(hang.executor ?? "an executor")\(at)."
    case .rest: return "The process is at rest: all of its tasks and threads wait for work."
    case .unknown:
      return "\(subject) a task waits\(at). It isn't known for what."
    }
  }

  /// Returns what the threads of a circle wait for.
  private static func cycle(_ hang: Hang, _ log: TraceLog) -> String {
    let threads = hang.threads.compactMap { number in
      log.inspection?.threads.first { $0.thread == number }
    }
    let areInitializers =
      !threads.isEmpty && threads.allSatisfy { $0.activity.kind == .once }
    guard hang.threads.count > 1 else {
      let at = hang.places.first.map { " in \(place($0))" } ?? ""
      let object = threads.first?.activity.object
      if areInitializers {
        return "The initialization of \(object ?? "a variable") waits for itself\(at)."
      }
      return "Thread \(hang.threads.first ?? 0) waits for a lock that it holds itself\(at)."
    }
    let count = CountText.make(hang.threads.count, areInitializers ? "initializer" : "thread")
    let sentences = threads.enumerated().map { index, thread in
      let at =
        hang.places.indices.contains(index) && hang.places.count == threads.count
        ? " in \(place(hang.places[index]))" : ""
      return " Thread \(thread.thread) \(activity(thread.activity))\(at)."
    }
    return "\(count) wait for each other." + sentences.joined()
  }

  /// Returns what each thread of a finding does, from the one that waits to the one at the bottom.
  private static func threads(_ hang: Hang, _ subject: String, _ log: TraceLog) -> String {
    var sentences: [String] = []
    for number in hang.threads {
      let thread = log.inspection?.threads.first { $0.thread == number }
      let isBusy = number == hang.threads.last && hang.cause == .busy
      let activity = isBusy ? "is busy" : thread.map { self.activity($0.activity) } ?? "waits"
      let at = thread?.place.map { " in \(place($0))" } ?? ""
      let start = sentences.isEmpty ? "\(subject) thread" : "Thread"
      sentences.append("\(start) \(number) \(activity)\(at).")
    }
    return sentences.joined(separator: " ")
  }
}
