#if os(Linux)
  import SystemLibrary
  import CRuntime.OtherProcess
  import ProcessInspection
  import ProcessMemory

  /// Calls functions while all threads of a process are stopped.
  package enum StoppedProcess {
    private final class Call {
      let process: Int32
      let body: (LeakSearch.Threads) -> Void
      /// The calls of threads that weren't stopped.
      var others: [Int32: ThreadCall] = [:]

      init(_ process: Int32, _ body: @escaping (LeakSearch.Threads) -> Void) {
        self.process = process
        self.body = body
      }

      /// The maximum number of looks at a thread to read its call.
      private static let maxLooks = 20

      /// Returns whether a thread must not be stopped, because its system call would change.
      func stays(_ thread: Int32) -> Bool {
        // A thread on its way into a call looks as if it could be stopped, so one look isn't
        // enough: with it, 2 of 47 runs of all blocking calls changed.
        for _ in 0..<Self.maxLooks where !inspection_stop_is_harmless(process, thread) {
          // Between its waits, a thread runs, and the system doesn't report its call.
          guard let call = ThreadCall(of: thread, in: process) else { continue }
          others[thread] = call
          return true
        }
        return false
      }
    }

    /// The maximum time for which threads are stopped to read their registers, in nanoseconds.
    private static let maxStopTime = 50_000_000

    /// Returns what is known about the threads of a process that continues to run, except for this
    /// thread. Threads of another process that don't wait are stopped one after the other, for less
    /// than a millisecond each.
    package static func running(_ process: Int32) -> LeakSearch.Threads {
      let own = ProcFile.target(ofLink: "/proc/thread-self")?.split(separator: "/").last
      let threads = ProcFile.numbers(in: "/proc/\(process)/task").filter { "\($0)" != own ?? "" }
      var known: [LeakSearch.Thread] = []
      var running: [inspection_thread] = []
      for thread in threads {
        if let call = ThreadCall(of: thread, in: process) {
          known.append(LeakSearch.Thread(in: call))
        } else {
          var one = inspection_thread()
          one.thread = thread
          running.append(one)
        }
      }
      if process != getpid(), !running.isEmpty {
        inspection_read_threads(process, &running, running.count, maxStopTime)
        for thread in running where thread.error == 0 {
          known.append(LeakSearch.Thread(thread))
        }
      }
      return LeakSearch.Threads(known, areSomeUnknown: known.count < threads.count)
    }

    /// Stops the threads of a process, calls `body` with what they hold, and lets them continue.
    /// Returns the number of an error, or 0.
    package static func with(
      _ process: Int32, _ body: (LeakSearch.Threads) -> Void
    ) -> Int32 {
      withoutActuallyEscaping(body) { body in
        let call = Call(process, body)
        return inspection_with_stopped(
          process,
          { context, thread in
            guard let context else { return true }
            return Unmanaged<Call>.fromOpaque(context).takeUnretainedValue().stays(thread)
          },
          { context, threads, count in
            guard let context else { return }
            let call = Unmanaged<Call>.fromOpaque(context).takeUnretainedValue()
            let read = UnsafeBufferPointer(start: threads, count: count)
            let others = call.others.values.map { LeakSearch.Thread(in: $0) }
            call.body(
              LeakSearch.Threads(read.map { LeakSearch.Thread($0) } + others, areSomeUnknown: false)
            )
          }, Unmanaged.passUnretained(call).toOpaque())
      }
    }
  }

  extension LeakSearch.Thread {
    fileprivate init(_ thread: inspection_thread) {
      let registers = withUnsafeBytes(of: thread.registers) { bytes in
        bytes.bindMemory(to: UInt64.self).map { UInt($0) }
      }
      self.init(stackPointer: registers[Unwinder.stackPointer], registers: registers)
    }

    init(_ registers: inspection_registers) {
      self.init(
        stackPointer: UInt(registers.stack_pointer),
        registers: withUnsafeBytes(of: registers.values) { bytes in
          bytes.bindMemory(to: UInt64.self).map { UInt($0) }
        }, callPC: UInt(registers.call_pc))
    }
  }
#endif
