import SystemLibrary

/// A process in the kernel's list.
package struct ProcessEntry: Equatable, Sendable {
  package let process: Int32
  package let parent: Int32
  /// The name that the process has given to itself, by default the one of its program. It has at
  /// most 15 bytes.
  package let name: String
  /// The arguments with which the process was started. They are empty for a zombie.
  package let command: [String]
  /// A Boolean value that indicates whether the process has ended and its parent hasn't noticed.
  package let isZombie: Bool
  /// The time when the process started, in clock ticks since the system started. It tells a process
  /// from a later one with the same number.
  package let start: UInt64
  /// A Boolean value that indicates whether this is a thread of the kernel.
  var isOfKernel = false

  /// Reads the entry of a process. Returns nil if there is no such process.
  package init?(_ process: Int32) {
    guard let status = Stat("/proc/\(process)/stat") else { return nil }
    self.process = process
    parent = status.parent
    name = status.name
    isZombie = status.state == "Z" || status.state == "X"
    start = status.start
    isOfKernel = status.flags & Stat.kernelFlag != 0
    command = (ProcFile.bytes("/proc/\(process)/cmdline") ?? [])
      .split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }

  package init(
    process: Int32, parent: Int32, name: String = "", command: [String], isZombie: Bool,
    start: UInt64
  ) {
    self.process = process
    self.parent = parent
    self.name = name
    self.command = command
    self.isZombie = isZombie
    self.start = start
  }

  /// The file name of the program.
  package var programName: String {
    let name = command.first?.split(separator: "/").last.map(String.init) ?? ""
    return name.isEmpty ? "process \(process)" : name
  }

  /// Returns the file name of the program of a process.
  package static func programName(of process: Int32) -> String {
    ProcessEntry(process)?.programName ?? "process \(process)"
  }

  /// Returns the children of a process, their children, and so on, each after its parent. A process
  /// whose parent has ended isn't found.
  package static func descendants(of process: Int32) -> [ProcessEntry] {
    let all = ProcFile.numbers(in: "/proc").compactMap { ProcessEntry($0) }
    let children = Dictionary(grouping: all, by: \.parent)
    var found: [ProcessEntry] = []
    var open = children[process] ?? []
    while !open.isEmpty, found.count < all.count {
      let next = open.removeFirst()
      found.append(next)
      open += children[next.process] ?? []
    }
    return found
  }

  /// Returns the process that traces another one, such as a debugger (`TracerPid` in proc(5)).
  static func tracer(of process: Int32) -> Int32? {
    let number = field("TracerPid", of: process)?.last.flatMap { Int32($0) }
    return number == 0 ? nil : number
  }

  /// Returns the effective user of a process (the second number of `Uid` in proc(5)).
  static func user(of process: Int32) -> UInt32? {
    field("Uid", of: process)?.dropFirst().first.flatMap { UInt32($0) }
  }

  /// Returns whether a process ignores a signal, given one of its threads (`SigIgn` and `SigCgt` in
  /// proc(5)).
  package static func ignores(_ signal: Int32, _ thread: Int32) -> Bool {
    let lines = ProcFile.text("/proc/\(thread)/status")?.split(separator: "\n") ?? []
    func has(_ name: String) -> Bool? {
      field(name, in: lines)?.last.flatMap { UInt64($0, radix: 16) }
        .map { $0 >> UInt64(signal - 1) & 1 != 0 }
    }
    guard let isIgnored = has("SigIgn"), let isCaught = has("SigCgt") else { return false }
    return isIgnored || !isCaught && ignoredByDefault.contains(signal)
  }

  /// The signals that do nothing unless a program catches them (signal(7)).
  private static let ignoredByDefault = [SIGCHLD, SIGCONT, SIGURG, SIGWINCH]

  /// Returns the process of a thread (`Tgid` in proc(5)).
  package static func process(ofThread thread: Int32) -> Int32? {
    field("Tgid", of: thread)?.last.flatMap { Int32($0) }
  }

  /// Returns the threads of a process that haven't ended.
  package static func threads(of process: Int32) -> [Int32] {
    ProcFile.numbers(in: "/proc/\(process)/task").filter { thread in
      guard let state = Stat("/proc/\(process)/task/\(thread)/stat")?.state else { return false }
      return state != "Z" && state != "X"
    }
  }

  /// Returns the words of a field in the `status` file of a process.
  private static func field(_ name: String, of process: Int32) -> [Substring]? {
    field(name, in: ProcFile.text("/proc/\(process)/status")?.split(separator: "\n") ?? [])
  }

  private static func field(_ name: String, in lines: [Substring]) -> [Substring]? {
    lines.first { $0.hasPrefix("\(name):") }?.dropFirst(name.count + 1)
      .split { $0 == " " || $0 == "\t" }
  }

  /// The fields of a `stat` file of a process or a thread (proc(5)).
  struct Stat {
    let name: String
    let state: Character
    let parent: Int32
    let flags: UInt32
    let start: UInt64

    init?(_ path: String) {
      guard let text = ProcFile.text(path), let open = text.firstIndex(of: "("),
        // The name can contain any character.
        let close = text.lastIndex(of: ")"), open < close
      else { return nil }
      name = String(text[text.index(after: open)..<close])
      let fields = text[text.index(after: close)...].split(separator: " ")
      guard fields.count > Self.startField, let state = fields[0].first,
        let parent = Int32(fields[1]), let flags = UInt32(fields[Self.flagsField]),
        let start = UInt64(fields[Self.startField])
      else { return nil }
      self.state = state
      self.parent = parent
      self.flags = flags
      self.start = start
    }

    /// The bit in the flags of a thread of the kernel (`PF_KTHREAD` in the kernel's
    /// `linux/sched.h`).
    static let kernelFlag: UInt32 = 0x0020_0000
    /// The number of the field with the flags, counted after the name.
    private static let flagsField = 6
    /// The number of the field with the start time, counted after the name.
    private static let startField = 19
  }
}
