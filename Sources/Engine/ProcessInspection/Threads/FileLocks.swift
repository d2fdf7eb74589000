#if os(Linux)
  import SystemLibrary

  /// The locks of files, from the kernel's list (proc(5): `/proc/locks`).
  enum FileLocks {
    /// Returns the process that has the lock for which a process waits, or nil if that isn't known.
    /// A line with an arrow is about a process that waits for the lock of the line before.
    static func holder(waitedForBy process: Int32) -> Int32? {
      holder(waitedForBy: process, in: ProcFile.text("/proc/locks") ?? "")
    }

    static func holder(waitedForBy process: Int32, in text: String) -> Int32? {
      var holder: Int32?
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ").dropFirst()
        let isWaiting = words.first == "->"
        let fields = Array(isWaiting ? words.dropFirst() : words)
        guard fields.count > 3, let owner = Int32(fields[3]) else { continue }
        if !isWaiting {
          holder = owner
        } else if owner == process {
          return holder.flatMap { $0 > 0 ? $0 : nil }
        }
      }
      return nil
    }
  }
#endif
