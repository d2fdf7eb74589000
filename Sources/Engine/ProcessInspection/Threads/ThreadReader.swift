#if os(Linux)
  import CodeLocations
  import ProcessMemory
  import SystemLibrary
  import CRuntime.OtherProcess

  /// A thread with the addresses of its calls.
  struct ThreadStack {
    /// A call: the frame of one function.
    struct Frame: Equatable {
      /// The return address, or one more than the address of the next instruction of a function
      /// that was interrupted. So the byte before it always belongs to the function.
      let address: UInt
      /// The stack pointer in the frame, and in the caller.
      let stack: Range<UInt>
      /// The first of the registers that functions save for their callers, if it is known.
      var saved: UInt?
    }

    let thread: Int32
    let name: String
    /// The state in the kernel's list, such as `S` for a thread that waits.
    let state: Character
    let wait: SystemCall?
    /// The frames, innermost first. They are empty if the thread couldn't be read.
    let frames: [Frame]
    let gap: CallGap?
    /// The error number of the system if the registers couldn't be read, or 0.
    let error: Int32
    /// Reads a word of the copy of the stack.
    let stack: StackCopy

    /// A system call in which a thread waits.
    struct SystemCall: Equatable {
      let kind: inspection_wait
      let number: Int
      let arguments: [UInt]

      /// Creates the call of a thread, or returns nil if it isn't in one.
      init?(_ call: ThreadCall?) {
        guard let call, let number = call.number else { return nil }
        self.number = number
        arguments = call.arguments
        kind = inspection_wait_of(number, arguments.count > 1 ? arguments[1] : 0)
      }
    }
  }

  /// A part of a stack as it was when its thread was stopped.
  struct StackCopy {
    let start: UInt
    let bytes: [UInt8]

    func word(_ address: UInt) -> UInt? {
      guard address >= start, address & 7 == 0, address - start <= UInt(Int.max),
        Int(address - start) + 8 <= bytes.count
      else { return nil }
      return bytes.withUnsafeBytes {
        $0.load(fromByteOffset: Int(address - start), as: UInt.self)
      }
    }
  }

  /// Reads the threads of a process: their states, registers, stacks and calls.
  struct ThreadReader {
    /// The maximum time for which threads are stopped in total, in nanoseconds.
    private static let maxStopTime = 50_000_000
    static let maxThreads = 4096
    /// The number of threads whose stacks are in memory at the same time.
    private static let batch = 16

    let process: Int32
    let unwinder: Unwinder
    let isInTime: () -> Bool

    /// Reads the threads. The second result is the number of threads that were left out, because
    /// there are too many.
    func threads() -> (read: [ThreadStack], missing: Int) {
      let all = ProcFile.numbers(in: "/proc/\(process)/task")
      let numbers = all.prefix(Self.maxThreads)
      var known: [Int32: (stat: ProcessEntry.Stat, wait: ThreadCall?)] = [:]
      for number in numbers {
        guard let stat = ProcessEntry.Stat("/proc/\(process)/task/\(number)/stat") else { continue }
        known[number] = (stat, ThreadCall(of: number, in: process))
      }
      // A thread in an uninterruptible wait wouldn't stop.
      let stopped = numbers.filter { number in
        guard let stat = known[number]?.stat else { return false }
        return stat.state != "D" && stat.state != "Z"
      }
      var stacks: [Int32: ThreadStack] = [:]
      var left = Self.maxStopTime
      var rest = stopped[...]
      while !rest.isEmpty, isInTime(), left > 0 {
        let part = rest.prefix(Self.batch)
        rest = rest.dropFirst(Self.batch)
        read(Array(part), &left) { thread in
          guard let (stat, wait) = known[thread.thread] else { return }
          stacks[thread.thread] = stack(thread, stat, wait)
        }
      }
      let read = numbers.compactMap { number -> ThreadStack? in
        guard let (stat, wait) = known[number] else { return nil }
        return stacks[number] ?? unstopped(number, stat, wait)
      }
      return (read, all.count - numbers.count)
    }

    /// Reads the registers and the stacks of some threads, and calls `body` with each.
    private func read(
      _ numbers: [Int32], _ left: inout Int, _ body: (inspection_thread) -> Void
    ) {
      let size = Int(inspection_stack_size)
      guard let room = ProcessMemory.map(size * numbers.count) else { return }
      defer { ProcessMemory.unmap(room, size * numbers.count) }
      var threads = numbers.enumerated().map { index, number in
        var thread = inspection_thread()
        thread.thread = number
        thread.stack = room + index * size
        return thread
      }
      left -= inspection_read_threads(process, &threads, threads.count, left)
      threads.forEach(body)
    }

    private func stack(
      _ thread: inspection_thread, _ stat: ProcessEntry.Stat, _ wait: ThreadCall?
    ) -> ThreadStack {
      if thread.error == EBUSY { return unstopped(thread.thread, stat, after: wait) }
      guard thread.error == 0, let memory = thread.stack else {
        return unstopped(thread.thread, stat, wait, error: thread.error)
      }
      let registers = withUnsafeBytes(of: thread.registers) { bytes in
        bytes.bindMemory(to: UInt64.self).map { UInt($0) }
      }
      let pointer = registers[Unwinder.stackPointer]
      let copy = StackCopy(
        start: pointer,
        bytes: [UInt8](UnsafeRawBufferPointer(start: memory, count: thread.stack_count)))
      let frames = unwinder.frames(pc: UInt(thread.pc), registers.map { $0 }, copy)
      return ThreadStack(
        thread: thread.thread, name: stat.name, state: stat.state, wait: .init(wait),
        frames: frames.calls, gap: frames.gap, error: 0, stack: copy)
    }

    /// The maximum number of looks at a thread that a stop would change, until it stays in its call
    /// for long enough to read its stack.
    private static let maxLooks = 20

    /// Looks at a thread that can move between its waits until its calls are known.
    private func unstopped(
      _ number: Int32, _ stat: ProcessEntry.Stat, after wait: ThreadCall?
    ) -> ThreadStack {
      var known = wait
      for _ in 0..<Self.maxLooks {
        guard let call = ThreadCall(of: number, in: process) else { continue }
        known = call
        let stack = unstopped(number, stat, call)
        if !stack.frames.isEmpty { return stack }
      }
      return unstopped(number, stat, known)
    }

    /// Returns what is known about a thread that wasn't stopped: the calls that can be found from
    /// its stack pointer. If it moves on in the meantime, they are left out.
    private func unstopped(
      _ number: Int32, _ stat: ProcessEntry.Stat, _ wait: ThreadCall?, error: Int32 = 0
    ) -> ThreadStack {
      var copy = StackCopy(start: 0, bytes: [])
      var frames = CallList<ThreadStack.Frame>()
      if let wait {
        copy = StackCopy(start: wait.stackPointer, bytes: unwinder.stack(from: wait.stackPointer))
        var registers = [UInt?](repeating: nil, count: Int(inspection_register_count))
        registers[Unwinder.stackPointer] = wait.stackPointer
        if ThreadCall(of: number, in: process) == wait {
          frames = unwinder.frames(pc: wait.pc, registers, copy)
        }
      }
      return ThreadStack(
        thread: number, name: stat.name, state: stat.state, wait: .init(wait),
        frames: frames.calls, gap: frames.gap, error: error, stack: copy)
    }
  }

  /// How often each thread of a process has run, and the numbers that the process knows them by.
  package struct ThreadProgress {
    private let status: [Int32: Status]

    /// The processor times, in nanoseconds (`schedstat` in proc(5)).
    private let times: [Int32: UInt64]
    /// The time of this look, in nanoseconds of the monotonic clock.
    private let moment = LogClock.monotonic()

    /// Takes a look after threads were read, as soon as those that waited wait again: the system
    /// lets a thread run that was stopped, and on a busy machine that takes a while.
    ///
    /// - Parameter isInTime: Whether there is time to wait for them.
    init(_ process: Int32, after stacks: [ThreadStack], isInTime: () -> Bool) {
      let waiting = stacks.filter { $0.state == "S" }.map(\.thread)
      let end = LogClock.monotonic() + Self.timeToWaitAgain
      let isOnItsWay = { (thread: Int32) -> Bool in
        ProcessEntry.Stat("/proc/\(process)/task/\(thread)/stat").map { $0.state != "S" } ?? false
      }
      while LogClock.monotonic() < end, isInTime(), waiting.contains(where: isOnItsWay) {
        usleep(1000)
      }
      self.init(process, threads: stacks.map(\.thread))
    }

    /// The maximum time until threads wait again, in nanoseconds.
    private static let timeToWaitAgain = 100_000_000

    init(_ process: Int32, threads: [Int32]) {
      var status: [Int32: Status] = [:]
      var times: [Int32: UInt64] = [:]
      for thread in threads {
        let folder = "/proc/\(process)/task/\(thread)"
        status[thread] = Status("\(folder)/status")
        times[thread] = ProcFile.text("\(folder)/schedstat")?.split(separator: " ").first
          .flatMap { UInt64($0) }
      }
      self.status = status
      self.times = times
    }

    /// Takes a look at all threads of a process.
    package init(_ process: Int32) {
      self.init(process, threads: ProcFile.numbers(in: "/proc/\(process)/task"))
    }

    /// Returns whether no thread has begun, run or ended since an earlier look.
    package func isUnchanged(since earlier: ThreadProgress) -> Bool {
      status.mapValues(\.switches) == earlier.status.mapValues(\.switches)
    }

    /// The threads by their numbers in the namespace of the process.
    var threads: [Int32: Int32] {
      Dictionary(status.map { ($1.innerNumber ?? $0, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns whether a thread has run or ended since an earlier look.
    func hasMoved(_ thread: Int32, since earlier: ThreadProgress) -> Bool {
      guard let now = status[thread], let then = earlier.status[thread] else { return true }
      return now.switches != then.switches
    }

    /// Returns whether a thread used a processor for more than a fifth of the time since an earlier
    /// look. One that only wakes up from time to time uses less, and so does one that shares the
    /// processor with many others, which then shows as running.
    func usesProcessor(_ thread: Int32, since earlier: ThreadProgress) -> Bool {
      guard let now = times[thread], let then = earlier.times[thread] else { return false }
      return (now &- then) &* 5 > UInt64(max(1, moment - earlier.moment))
    }

    /// The fields of a `status` file of a thread (proc(5)).
    private struct Status {
      /// The number of the thread in the innermost namespace (`NSpid`).
      var innerNumber: Int32?
      /// The number of times that the system let the thread run.
      var switches: UInt64 = 0

      init?(_ path: String) {
        guard let text = ProcFile.text(path) else { return nil }
        for line in text.split(separator: "\n") {
          guard let colon = line.firstIndex(of: ":") else { continue }
          let value = line[line.index(after: colon)...].split { $0 == " " || $0 == "\t" }.last
          switch line[..<colon] {
          case "NSpid": innerNumber = value.flatMap { Int32($0) }
          case "voluntary_ctxt_switches", "nonvoluntary_ctxt_switches":
            switches &+= value.flatMap { UInt64($0) } ?? 0
          default: break
          }
        }
      }
    }
  }
#endif
