#if os(Linux)
  import CodeLocations
  import ProcessInspection
  package import ProcessMemory

  extension LeakSearch {
    /// What a thread holds.
    package struct Thread: Sendable {
      package let stackPointer: UInt
      /// The values of its registers, or an empty array if they aren't known or not in use.
      package let registers: [UInt]
      /// The call in which the thread waits, if its registers aren't known.
      let call: ThreadCall?

      package init(stackPointer: UInt, registers: [UInt], in call: ThreadCall? = nil) {
        self.stackPointer = stackPointer
        self.registers = registers
        self.call = call
      }

      init(in call: ThreadCall) {
        self.init(stackPointer: call.stackPointer, registers: [], in: call)
      }
    }

    /// What the threads of a process hold.
    package struct Threads: Sendable {
      private var threads: [Thread]
      /// Whether there are threads whose stack pointers are unknown.
      let areSomeUnknown: Bool

      package init(_ threads: [Thread], areSomeUnknown: Bool) {
        self.threads = threads
        self.areSomeUnknown = areSomeUnknown
      }

      mutating func add(_ thread: Thread) { threads.append(thread) }

      /// Whether all threads wait in system calls.
      var allWait: Bool { !areSomeUnknown && threads.allSatisfy { $0.call != nil } }

      /// The stack pointers.
      var stacks: [UInt] { threads.map(\.stackPointer) }
      var registers: [UInt] { threads.flatMap(\.registers) }

      /// Returns whether a thread can have a reference in a register and nowhere else.
      func hideRegisters(
        _ memory: ProcessMemory, _ files: ProcessFiles, isInTime: @escaping () -> Bool
      ) -> Bool {
        guard !areSomeUnknown else { return true }
        let unwinder = Unwinder(memory, files, isInTime: isInTime)
        return threads.contains { thread in
          thread.call.map { !unwinder.areRegistersSaved(in: $0) } ?? false
        }
      }

      /// Returns what is in use: nothing of a thread that waits for work of libdispatch, except for
      /// the end of its stack with the variables of the thread.
      func withoutIdle(_ memory: ProcessMemory, _ map: MemoryMap, _ files: ProcessFiles) -> Threads
      {
        guard let path = files.images.lazy.map(\.loaded.path).first(where: Self.isDispatch),
          case let parts = map.parts.filter({ $0.path == path }),
          let start = parts.map(\.start).min(), let end = parts.map(\.end).max()
        else { return self }
        var marked = map
        marked.markStacks(at: stacks, areSomeUnknown: areSomeUnknown, onlyOwnParts: true)
        let idle = IdleThreads(memory, marked, dispatch: start..<end)
        return Threads(
          threads.map { thread in
            idle.ends[thread.stackPointer].map {
              Thread(stackPointer: $0 &+ MemoryMap.redZone, registers: [])
            } ?? thread
          }, areSomeUnknown: areSomeUnknown)
      }

      private static func isDispatch(_ path: String) -> Bool { path.contains("/libdispatch.so") }
    }
  }
#endif
