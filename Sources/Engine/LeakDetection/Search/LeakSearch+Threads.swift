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
      /// The program counter in a system call, or 0.
      private let callPC: UInt

      package init(
        stackPointer: UInt, registers: [UInt], in call: ThreadCall? = nil, callPC: UInt = 0
      ) {
        self.stackPointer = stackPointer
        self.registers = registers
        self.call = call
        self.callPC = callPC
      }

      init(in call: ThreadCall) {
        self.init(
          stackPointer: call.stackPointer, registers: [], in: call,
          callPC: call.number == nil ? 0 : call.pc)
      }

      /// Returns the thread without what is below its stack pointer if it makes a system call in
      /// the C library, which doesn't own objects. What is there is from earlier calls. A program
      /// that is linked statically as a whole has the C library in its own file.
      func withoutRedZone(_ map: MemoryMap) -> Thread {
        guard callPC != 0, let path = map.part(of: callPC)?.path,
          LoadedImage.isCLibrary(path)
            || !map.parts.contains(where: { LoadedImage.isCLibrary($0.path) })
        else { return self }
        return Thread(
          stackPointer: stackPointer &+ MemoryMap.redZone, registers: registers, in: call)
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

      func withoutRedZones(_ map: MemoryMap) -> Threads {
        Threads(threads.map { $0.withoutRedZone(map) }, areSomeUnknown: areSomeUnknown)
      }

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
      func withoutIdle(
        _ memory: ProcessMemory, _ map: MemoryMap, _ files: ProcessFiles,
        isInTime: @escaping () -> Bool
      ) -> Threads {
        let dispatch = Self.dispatch(map, files, isInTime: isInTime)
        var marked = map
        marked.markStacks(at: stacks, areSomeUnknown: areSomeUnknown, onlyOwnParts: true)
        let idle = IdleThreads(memory, marked, dispatch: dispatch)
        return Threads(
          threads.map { thread in
            idle.ends[thread.stackPointer].map {
              Thread(stackPointer: $0 &+ MemoryMap.redZone, registers: [])
            } ?? thread
          }, areSomeUnknown: areSomeUnknown)
      }

      private static func dispatch(
        _ map: MemoryMap, _ files: ProcessFiles, isInTime: @escaping () -> Bool
      ) -> DispatchCode {
        let library = files.images.first { $0.loaded.path.contains("/libdispatch.so") }
        guard let library else {
          return files.images.first.flatMap { ProgramFunctions($0, isInTime: isInTime) }
            .map { .program($0) } ?? .unknown
        }
        let parts = map.parts.filter { $0.path == library.loaded.path }
        guard let start = parts.map(\.start).min(), let end = parts.map(\.end).max() else {
          return .unknown
        }
        return .library(start..<end)
      }
    }
  }
#endif
