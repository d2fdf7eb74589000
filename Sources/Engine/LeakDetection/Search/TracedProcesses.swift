#if os(Linux)
  import SystemLibrary
  import CRuntime.OtherProcess
  import ProcessInspection

  /// The processes of a command, which stop when they end, so that they can be searched.
  ///
  /// All methods must be called on the thread that started the command. If that thread ends, the
  /// system lets all processes continue. No process is changed: it only waits while it is searched.
  package final class TracedProcesses {
    /// What a change of a process means for its parent.
    package enum Change {
      /// It is dealt with.
      case handled
      /// The process was stopped for job control.
      case stopped
      /// The process isn't traced, or it has ended.
      case ended
    }

    /// A process that is about to end.
    package struct Ending: Sendable {
      /// The process.
      package let process: Int32
      /// A thread of the process through which its memory can be read. The first thread may have
      /// ended.
      package let thread: Int32
      package let threads: LeakSearch.Threads
    }

    /// A Swift program that wasn't searched.
    package struct Unsearched: Hashable, Sendable {
      package enum Reason: Hashable, Sendable {
        /// A signal that isn't a request to end, such as that of a crash.
        case signal(Int32)
        /// Its process executed another program.
        case executed
        /// Its process still runs.
        case running
      }

      package let program: String
      package let reason: Reason
    }

    private struct Collected {
      var registers: [Int32: inspection_registers] = [:]
      let start = LogClock.monotonic()
      var isBeingSearched = false
    }

    /// The maximum time to wait for the other threads of a process that ends, in nanoseconds.
    private static let maxWait = 1_000_000_000

    private let mustNotBeTraced: (Int32) -> Bool
    private let isWanted: (Int32, Int32) -> Bool
    private let begin: (Ending) -> Void
    private var ending: [Int32: Collected] = [:]
    /// The processes that have executed a program, with its name if it must be searched. One that
    /// was only forked has a copy of the objects of its parent, which is searched itself.
    private var executed: [Int32: String?] = [:]
    /// How often a program wasn't searched at its end.
    private var unsearchedAtEnd: [Unsearched: Int] = [:]
    /// The threads whose system calls are made again for their rests.
    private var rests: [Int32: inspection_rest] = [:]
    /// Whether processes are searched when they end.
    package private(set) var isOn = true

    /// - Parameters:
    ///   - mustNotBeTraced: Returns whether a process has executed a program that doesn't work
    ///     while it is traced.
    ///   - isWanted: Returns whether a process should be searched when it ends, given one of its
    ///     threads that hasn't ended. The system's files about a process are those of its first
    ///     thread, and are empty after that thread has ended.
    ///   - begin: Begins to search a process that is about to end. After the search, `release` must
    ///     be called. Until then, the process waits, and others don't.
    package init(
      mustNotBeTraced: @escaping (_ process: Int32) -> Bool,
      isWanted: @escaping (_ process: Int32, _ thread: Int32) -> Bool,
      begin: @escaping (Ending) -> Void
    ) {
      self.mustNotBeTraced = mustNotBeTraced
      self.isWanted = isWanted
      self.begin = begin
    }

    /// Begins to trace a process that hasn't executed its program. Returns 0 or the number of an
    /// error.
    package static func trace(_ process: Int32) -> Int32 { inspection_trace(process) }

    /// The time until `checkOverdue` must be called, in nanoseconds, or nil if that isn't
    /// necessary.
    package var pause: Int? { ending.isEmpty ? nil : 100_000_000 }

    /// Deals with a change that `waitpid` has reported.
    package func handle(_ thread: Int32, status: Int32) -> Change {
      guard status & 0xFF == 0x7F else {
        ending[thread] = nil
        noteEnd(of: thread, status & 0x7F == 0 ? nil : .signal(status & 0x7F))
        rests[thread] = nil
        return .ended
      }
      let signal = status >> 8 & 0xFF
      let reason = inspection_reason(status)
      // Without tracing, a signal that the process ignores doesn't interrupt a system call.
      if reason == inspection_stop_call
        || reason == inspection_stop_signal && ProcessEntry.ignores(signal, thread)
      {
        continueCall(of: thread, signal: reason == inspection_stop_signal ? signal : nil)
        return .handled
      }
      if let rest = rests.removeValue(forKey: thread), reason != inspection_stop_exit {
        withUnsafePointer(to: rest) { inspection_end_rest(thread, $0) }
      }
      switch reason {
      case inspection_stop_signal: inspection_continue(thread, signal)
      case inspection_stop_job:
        inspection_listen(thread)
        return .stopped
      case inspection_stop_exit: end(thread)
      case inspection_stop_exec:
        noteEnd(of: thread, .executed)
        if mustNotBeTraced(thread) {
          inspection_release(thread, 0)
        } else {
          let name = isWanted(thread, thread) ? ProcessEntry.programName(of: thread) : nil
          executed.updateValue(name, forKey: thread)
          inspection_continue(thread, 0)
        }
      default: inspection_continue(thread, 0)
      }
      return .handled
    }

    /// Notes that the program of a process has ended and, if there is a reason, that it wasn't
    /// searched although it had to be.
    private func noteEnd(of process: Int32, _ reason: Unsearched.Reason?) {
      guard let program = executed.removeValue(forKey: process) ?? nil, isOn, let reason else {
        return
      }
      unsearchedAtEnd[Unsearched(program: program, reason: reason), default: 0] += 1
    }

    /// The numbers of processes that weren't searched, including those that still run.
    package var unsearched: [Unsearched: Int] {
      guard isOn else { return unsearchedAtEnd }
      return executed.values.compactMap(\.self).reduce(into: unsearchedAtEnd) { numbers, program in
        numbers[Unsearched(program: program, reason: .running), default: 0] += 1
      }
    }

    /// Lets the system call of a thread continue that a signal, which the process ignores, has
    /// interrupted, or that is made again because of it.
    private func continueCall(of thread: Int32, signal: Int32?) {
      var rest = rests[thread] ?? inspection_rest()
      let isContinued =
        if signal == nil {
          rests[thread] != nil && inspection_continue_rest(thread, &rest)
        } else {
          // The call that causes SIGPIPE fails.
          rests[thread] != nil
            || (signal != SIGPIPE || inspection_signal_was_sent(thread))
              && inspection_begin_rest(thread, &rest)
        }
      rests[thread] = isContinued ? rest : nil
      if isContinued {
        inspection_continue_to_call(thread, signal ?? 0)
      } else {
        if signal != nil { inspection_restart_call(thread) }
        inspection_continue(thread, signal ?? 0)
      }
    }

    private func end(_ thread: Int32) {
      var end = inspection_end()
      guard isOn, inspection_read_end(thread, &end), isRegular(end.status),
        let process = process(of: thread, isEnding: end.is_of_process),
        ending[process] != nil || isWanted(process, thread)
      else { return inspection_continue(thread, 0) }
      ending[process, default: Collected()].registers[thread] = end.registers
      search(process, isOverdue: false)
    }

    /// Returns the process of a thread that is about to end if the process ends, too, and has
    /// executed a program. Most threads only end themselves, and wait until this is known.
    private func process(of thread: Int32, isEnding: Bool) -> Int32? {
      let count = inspection_thread_count(thread)
      guard isEnding || count <= 2 || !ending.isEmpty else { return nil }
      if count == 1 { return executed[thread] == nil ? nil : thread }
      guard let process = ProcessEntry.process(ofThread: thread), executed[process] != nil,
        isEnding || ending[process] != nil || isLast(thread, of: process)
      else { return nil }
      return process
    }

    /// Returns whether a process ends by itself, or because it was asked to. After a crash, objects
    /// are in any state.
    private func isRegular(_ status: Int32) -> Bool {
      [0, SIGTERM, SIGINT, SIGHUP].contains(status & 0x7F)
    }

    /// Searches a process if all of its threads are about to end or have ended.
    private func search(_ process: Int32, isOverdue: Bool) {
      guard let collected = ending[process], !collected.isBeingSearched else { return }
      let missing = ProcessEntry.threads(of: process).filter { collected.registers[$0] == nil }
      guard missing.isEmpty || isOverdue, let thread = collected.registers.keys.min() else {
        return
      }
      ending[process]?.isBeingSearched = true
      begin(
        Ending(
          process: process, thread: thread,
          threads: LeakSearch.Threads(
            collected.registers.values.map { LeakSearch.Thread($0) },
            areSomeUnknown: !missing.isEmpty)))
    }

    /// Lets a process end after its search.
    package func release(_ process: Int32) {
      guard let collected = ending.removeValue(forKey: process) else { return }
      // A thread that ends late must not cause another search.
      executed[process] = nil
      for thread in collected.registers.keys { inspection_continue(thread, 0) }
    }

    /// Lets all processes end without a search.
    package func stopSearching() {
      isOn = false
      for process in Array(ending.keys) { release(process) }
    }

    /// Searches the processes of which a thread has not ended in time.
    package func checkOverdue() {
      let now = LogClock.monotonic()
      for (process, collected) in ending where now - collected.start > Self.maxWait {
        search(process, isOverdue: true)
      }
    }

    /// Returns whether no other thread of a process runs.
    private func isLast(_ thread: Int32, of process: Int32) -> Bool {
      ProcessEntry.threads(of: process).allSatisfy { $0 == thread }
    }
  }
#endif
