#if os(Linux)
  import ProcessMemory
  import SystemLibrary
  import CRuntime.OtherProcess
  import SwiftRuntime
  import TaskInspection
  import TraceFormat

  /// Determines what a thread waits for, from its system call and its innermost calls.
  struct ThreadClassifier {
    /// The number of innermost frames in which a function that waits is looked for.
    private static let depth = 12

    /// The process, or nil if it is one of a core file, which doesn't have its files.
    let process: Int32?
    let memory: ProcessMemory
    /// The numbers of the threads of the process by their numbers in its own namespace, which the
    /// process has in its locks.
    let threads: [Int32: Int32]
    let sockets: SocketTable?

    func activity(_ stack: ThreadStack, _ frames: [InspectedFrame]) -> ThreadActivity {
      guard stack.state != "T", stack.state != "t" else { return ThreadActivity(.stopped) }
      // A function of the user that a library calls can wait for something else.
      let calls = frames.prefix { $0.origin == .system }.prefix(Self.depth)
      if let once = once(stack, calls) { return once }
      let isWaiting = stack.state == "S" || stack.state == "D"
      guard isWaiting || stack.wait != nil else { return ThreadActivity(.running) }
      if let thread = joined(stack.wait) { return ThreadActivity(.join, heldBy: thread) }
      if let found = known(calls.compactMap(\.symbol), stack) { return found }
      guard let wait = stack.wait else { return ThreadActivity(isWaiting ? .other : .running) }
      return activity(wait)
    }

    /// Returns what a function of a library waits for. These are the names of exported functions,
    /// and of functions in the symbol tables of libdispatch and the Swift runtime.
    private func known(_ names: [String], _ stack: ThreadStack) -> ThreadActivity? {
      // A thread of libdispatch waits for work in the function that otherwise runs the work.
      let first = names.first { !Self.waitingForWork.contains($0) }
      if first == "_dispatch_worker_thread" { return ThreadActivity(.idle) }
      for name in names {
        switch name {
        case "_dispatch_semaphore_wait_slow", "dispatch_semaphore_wait", "sem_wait":
          return ThreadActivity(.semaphore)
        case "_dispatch_group_wait_slow", "dispatch_group_wait": return ThreadActivity(.group)
        case "__DISPATCH_WAIT_FOR_QUEUE__": return queue(stack)
        case "_dispatch_sigsuspend": return ThreadActivity(.idle)
        case "pthread_mutex_lock", "__pthread_mutex_lock", "___pthread_mutex_lock",
          "pthread_rwlock_rdlock", "pthread_rwlock_wrlock":
          return ThreadActivity(.lock, heldBy: owner(of: stack.wait))
        case "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait":
          return ThreadActivity(.condition)
        case "pthread_join", "pthread_clockjoin_np", "pthread_timedjoin_np":
          return ThreadActivity(.join)
        case "waitpid", "wait4", "waitid": return ThreadActivity(.child)
        case Self.waitUntilExit: return ThreadActivity(.child)
        case "pthread_barrier_wait": return ThreadActivity(.barrier)
        case let name where name.hasPrefix(Self.mutexPrefix):
          return ThreadActivity(.lock, heldBy: ownerOfMutex(stack.wait))
        default: continue
        }
      }
      return nil
    }

    /// Returns the initialization of a variable that a thread waits for. The lock of the
    /// initialization has the number of the thread that initializes the variable. If that thread
    /// waits for this one, the kernel refuses to wait (`EDEADLK` in futex(2)), and the runtime
    /// tries again all the time.
    private func once(
      _ stack: ThreadStack, _ calls: ArraySlice<InspectedFrame>
    ) -> ThreadActivity? {
      guard
        let index = calls.firstIndex(where: { $0.symbol?.hasPrefix(Self.oncePrefix) == true })
      else { return nil }
      let variable = calls[index...].dropFirst().prefix(2).compactMap(\.variable).first
      let lock =
        stack.wait?.kind == inspection_wait_futex
        ? stack.wait?.arguments.first : stack.frames[index].saved
      let holder = lock.flatMap { memory.half($0) }.flatMap { thread($0 & Self.threadMask) }
      guard holder != nil || stack.wait != nil else { return nil }
      return ThreadActivity(.once, on: variable, heldBy: holder)
    }

    private static let waitingForWork: Set<String> = [
      "_dispatch_sema4_timedwait", "_dispatch_sema4_wait", "_dispatch_semaphore_wait_slow",
      "sem_timedwait", "sem_wait", "sem_clockwait",
    ]

    /// The prefix of the function `once_slow` of the runtime, which `swift_once` calls.
    private static let oncePrefix = "_ZN5swift14threading_impl9once_slow"

    /// The prefix of the functions of the lock in the module Synchronization (`_MutexHandle`).
    private static let mutexPrefix = "$s15Synchronization12_MutexHandleV"

    /// The symbol of `Process.waitUntilExit()` of Foundation, which runs a run loop.
    private static let waitUntilExit = "$s10Foundation7ProcessC13waitUntilExityyF"

    /// Returns what a thread waits for now that ran when it was read, or nil if it doesn't wait.
    func activityNow(of thread: Int32) -> ThreadActivity? {
      ThreadStack.SystemCall(ThreadCall(of: thread, in: process)).map(activity)
    }

    private func activity(_ wait: ThreadStack.SystemCall) -> ThreadActivity {
      let file = wait.arguments.first.flatMap { Int32(exactly: $0) }
      switch wait.kind {
      case inspection_wait_sleep: return ThreadActivity(.sleep)
      case inspection_wait_child: return ThreadActivity(.child)
      case inspection_wait_read: return ThreadActivity(.read, on: file.flatMap(target))
      case inspection_wait_write: return ThreadActivity(.write, on: file.flatMap(target))
      case inspection_wait_events: return ThreadActivity(.events)
      case inspection_wait_file_lock:
        return ThreadActivity(
          .fileLock, on: file.flatMap(target),
          process: process.flatMap { FileLocks.holder(waitedForBy: $0) })
      case inspection_wait_message: return ThreadActivity(.message)
      case inspection_wait_accept: return ThreadActivity(.accept, on: file.flatMap(target))
      case inspection_wait_connect: return ThreadActivity(.connect, on: destination(of: wait))
      case inspection_wait_signal: return ThreadActivity(.signal)
      case inspection_wait_open: return open(path: wait.arguments.first)
      case inspection_wait_open_at: return open(path: wait.arguments.dropFirst().first)
      default: return ThreadActivity(.other)
      }
    }

    /// Returns the path of an open file, or the addresses of a socket.
    private func target(of file: Int32) -> String? {
      let target = process.flatMap { ProcFile.target(ofLink: "/proc/\($0)/fd/\(file)") }
      return target.map { sockets?.addresses(of: $0) ?? $0 }
    }

    /// Returns the address of the server to which a thread connects.
    private func destination(of wait: ThreadStack.SystemCall) -> String? {
      guard wait.arguments.count > 2, let size = Int(exactly: wait.arguments[2]),
        (2...128).contains(size)
      else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      let isRead = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { memory.read(wait.arguments[1], into: $0, count: size) } ?? false
      }
      return isRead ? SocketTable.address(bytes) : nil
    }

    /// Returns what a thread waits for that opens a file. Only a FIFO makes it wait for long.
    private func open(path: UInt?) -> ThreadActivity {
      ThreadActivity(.open, on: path.flatMap { memory.text($0, limit: 4096) })
    }

    private func thread(_ number: UInt32?) -> Int32? {
      number.flatMap { Int32(exactly: $0) }.flatMap { threads[$0] }
    }

    /// Returns the thread for whose end a call waits. When a thread ends, the kernel clears its
    /// number in the memory of the process (`CLONE_CHILD_CLEARTID` in clone(2)). That is the only
    /// shared memory with the number of a thread for which the C library waits.
    private func joined(_ wait: ThreadStack.SystemCall?) -> Int32? {
      guard let wait, wait.kind == inspection_wait_futex, wait.arguments.count > 2,
        Self.sharedWaits.contains(wait.arguments[1] & ~Self.realTimeFlag),
        let number = UInt32(exactly: wait.arguments[2]),
        memory.half(wait.arguments[0]) == number
      else { return nil }
      return thread(number)
    }

    /// `FUTEX_WAIT` and `FUTEX_WAIT_BITSET` without `FUTEX_PRIVATE_FLAG` (futex(2)).
    private static let sharedWaits: Set<UInt> = [0, 9]
    /// `FUTEX_CLOCK_REALTIME` (futex(2)).
    private static let realTimeFlag: UInt = 256

    /// Returns the thread that holds a lock of the C library (`__owner` in `pthread_mutex_t`).
    private func owner(of wait: ThreadStack.SystemCall?) -> Int32? {
      guard let wait, wait.kind == inspection_wait_futex, let lock = wait.arguments.first else {
        return nil
      }
      return thread(memory.half(lock &+ Self.ownerOffset))
    }

    /// The offset of the owner in `pthread_mutex_t` of glibc, in bytes.
    private static let ownerOffset: UInt = 8

    /// Returns the thread that holds a lock whose word is the number of the thread (futex(2),
    /// "Priority-inheritance futexes").
    private func ownerOfMutex(_ wait: ThreadStack.SystemCall?) -> Int32? {
      guard let lock = wait?.arguments.first else { return nil }
      return thread(memory.half(lock).map { $0 & Self.threadMask })
    }

    /// The bits of a thread's number in a lock (`FUTEX_TID_MASK`).
    private static let threadMask: UInt32 = 0x3FFF_FFFF

    /// Returns the queue for which a thread waits: an address in the frames of libdispatch that is
    /// a queue with a thread on it.
    private func queue(_ stack: ThreadStack) -> ThreadActivity {
      for frame in stack.frames.prefix(Self.depth) where frame.stack.count < 4096 {
        for address in stride(from: frame.stack.lowerBound, to: frame.stack.upperBound, by: 8) {
          guard let queue = stack.stack.word(address), queue & 7 == 0, queue > 4096,
            let found = queueState(queue), found.heldBy != stack.thread
          else { continue }
          return ThreadActivity(.queue, on: found.label, heldBy: found.heldBy)
        }
      }
      return ThreadActivity(.queue)
    }

    /// Returns the label of a queue and the thread on it, or nil if the memory isn't a queue with
    /// a thread on it.
    private func queueState(_ address: UInt) -> (label: String, heldBy: Int32)? {
      guard let state = memory.half(address &+ DispatchQueueLayout.state),
        let thread = thread(state & Self.threadMask),
        let pointer = memory.word(address &+ DispatchQueueLayout.label), pointer != 0,
        let label = memory.text(pointer, limit: 256)
      else { return nil }
      return (label, thread)
    }
  }
#endif
