#if os(Linux)
  /// A process that isn't running, with the memory that it had. `CoreFile` of ProcessInspection is
  /// the only one, so that traced programs don't have the code that reads core files.
  package protocol RecordedProcess: AnyObject, Sendable {
    var number: Int32 { get }
    /// The numbers of its threads.
    var threadNumbers: [Int32] { get }
    /// The path of the program.
    var program: String? { get }
    /// The parts of the memory, in the format of `/proc/PID/maps`.
    var list: [UInt8] { get }
    /// The paths at which this process can open the files of images, by the paths in the list.
    var openableFiles: [String: String] { get }

    /// Returns the system call in which a thread waited. Returns nil if it ran.
    func call(
      of thread: Int32
    ) -> (number: Int, arguments: [UInt], stackPointer: UInt, pc: UInt)?

    /// Copies memory. Returns the number of bytes copied from the start.
    func copy(from address: UInt, to target: UnsafeMutableRawPointer, count: Int) -> Int

    /// Calls `body` with the parts of a range that have content, in order.
    func forEachPart(
      of range: Range<UInt>, while isInTime: () -> Bool, _ body: (Range<UInt>) -> Void)
  }
#endif
