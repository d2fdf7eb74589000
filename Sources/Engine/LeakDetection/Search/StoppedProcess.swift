#if os(Linux)
  import SystemLibrary
  import CRuntime.OtherProcess
  import ProcessMemory

  /// Calls functions while all threads of a process are stopped.
  package enum StoppedProcess {
    private final class Call {
      let process: Int32
      let body: (LeakSearch.Threads) -> Void
      /// The stack pointers of threads that weren't stopped.
      var others: [Int32: UInt] = [:]

      init(_ process: Int32, _ body: @escaping (LeakSearch.Threads) -> Void) {
        self.process = process
        self.body = body
      }

      /// Returns whether a thread must not be stopped, because its system call would change.
      func stays(_ thread: Int32) -> Bool {
        guard !inspection_stop_is_harmless(process, thread),
          let call = ThreadCall(of: thread, in: process)
        else { return false }
        others[thread] = call.stackPointer
        return true
      }
    }

    /// Returns what is known about the threads of a process that continues to run.
    package static func running(_ process: Int32) -> LeakSearch.Threads {
      let threads = ProcFile.numbers(in: "/proc/\(process)/task")
      let known = threads.compactMap { ThreadCall(of: $0, in: process)?.stackPointer }
      return LeakSearch.Threads(
        known.map { LeakSearch.Thread(stackPointer: $0, registers: []) },
        areSomeUnknown: known.count < threads.count)
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
            let others = call.others.values.map {
              LeakSearch.Thread(stackPointer: $0, registers: [])
            }
            call.body(
              LeakSearch.Threads(read.map { LeakSearch.Thread($0) } + others, areSomeUnknown: false)
            )
          }, Unmanaged.passUnretained(call).toOpaque())
      }
    }
  }

  extension LeakSearch.Thread {
    init(_ registers: inspection_registers) {
      self.init(
        stackPointer: UInt(registers.stack_pointer),
        registers: withUnsafeBytes(of: registers.values) { bytes in
          bytes.bindMemory(to: UInt64.self).map { UInt($0) }
        })
    }
  }
#endif
