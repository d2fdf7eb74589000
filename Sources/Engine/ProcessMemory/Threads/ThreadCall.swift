#if os(Linux)
  import SystemLibrary

  /// What the kernel reports about a thread that waits (the file `syscall` of a thread in proc(5)).
  package struct ThreadCall: Equatable, Sendable {
    /// The maximum size of the file, in bytes: nine numbers.
    private static let maxSize = 256

    /// The number of the system call, or nil if the thread waits outside of one.
    package let number: Int?
    /// The arguments of the system call. They are empty without one.
    package let arguments: [UInt]
    package let stackPointer: UInt
    package let pc: UInt

    /// Reads what a thread does. Returns nil if it runs or has ended.
    ///
    /// - Parameter process: The process of the thread, or nil for this one.
    package init?(of thread: Int32, in process: Int32? = nil) {
      let folder = process.map(String.init) ?? "self"
      guard
        let bytes = ProcFile.bytes(
          "/proc/\(folder)/task/\(thread)/syscall", maxCount: Self.maxSize)
      else { return nil }
      self.init(String(decoding: bytes, as: UTF8.self))
    }

    /// Reads what a thread of a process does. Returns nil if it runs or has ended.
    package init?(of thread: Int32, in process: ProcessSource) {
      switch process {
      case .own: self.init(of: thread)
      case .other(let process): self.init(of: thread, in: process)
      case .core(let core):
        guard let call = core.call(of: thread) else { return nil }
        self.init(
          number: call.number, arguments: call.arguments, stackPointer: call.stackPointer,
          pc: call.pc)
      }
    }

    package init(number: Int?, arguments: [UInt], stackPointer: UInt, pc: UInt) {
      self.number = number
      self.arguments = arguments
      self.stackPointer = stackPointer
      self.pc = pc
    }

    /// Reads the content of the file. Returns nil for a thread that runs.
    package init?(_ text: String) {
      let fields = text.split { $0 == " " || $0 == "\n" }
      guard let number = fields.first.flatMap({ Int($0) }) else { return nil }
      let values = fields.dropFirst().compactMap { field in
        field.hasPrefix("0x") ? UInt(field.dropFirst(2), radix: 16) : nil
      }
      guard values.count >= 2 else { return nil }
      self.number = number >= 0 ? number : nil
      arguments = Array(values.dropLast(2))
      stackPointer = values[values.count - 2]
      pc = values[values.count - 1]
    }
  }
#endif
