/// How much memory this process can still use before the system ends a process for lack of memory.
package enum AvailableMemory {
  /// Returns the number of available bytes: of the machine, or of the control group of this process
  /// (such as a container) if that has fewer. Pages of files that the system can drop count as
  /// available. Returns nil if it is unknown.
  ///
  /// It reads `/proc/meminfo`, and the files of the versions 1 and 2 of control groups that
  /// `Documentation/admin-guide` of Linux describes.
  ///
  /// - Parameter root: The folder with `proc` and `sys`.
  package static func bytes(root: String = "") -> Int? {
    ([ofMachine(root)] + ofGroups(root)).compactMap(\.self).min()
  }

  private static func ofMachine(_ root: String) -> Int? {
    number(after: "MemAvailable:", in: root + "/proc/meminfo").map { min($0, 1 << 50) << 10 }
  }

  private static func ofGroups(_ root: String) -> [Int?] {
    (ProcFile.text(root + "/proc/self/cgroup") ?? "").split(separator: "\n").flatMap { line in
      // A number, the controllers, and the path of the group.
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [Int?]() }
      if parts[0] == "0", parts[1].isEmpty { return ofGroup2(root, String(parts[2])) }
      guard parts[1].split(separator: ",").contains("memory") else { return [] }
      // In a container, the path can be that of the host, and the mounted group is the container's.
      let mounted = root + "/sys/fs/cgroup/memory"
      return [ofGroup1(mounted + parts[2]) ?? ofGroup1(mounted)]
    }
  }

  /// Returns the available bytes of a group of version 1.
  private static func ofGroup1(_ folder: String) -> Int? {
    let stat = folder + "/memory.stat"
    guard let limit = number(after: "hierarchical_memory_limit", in: stat),
      let used = number(in: folder + "/memory.usage_in_bytes")
    else { return nil }
    return available(limit, used, number(after: "total_inactive_file", in: stat))
  }

  /// Returns the available bytes of a group of version 2 and of the groups that contain it.
  private static func ofGroup2(_ root: String, _ path: String) -> [Int?] {
    var names = path.split(separator: "/")
    var found: [Int?] = []
    while true {
      let folder = ([root + "/sys/fs/cgroup"] + names.map(String.init)).joined(separator: "/")
      if let limit = number(in: folder + "/memory.max"),
        let used = number(in: folder + "/memory.current")
      {
        let cached = number(after: "inactive_file", in: folder + "/memory.stat")
        found.append(available(limit, used, cached))
      }
      guard names.popLast() != nil else { return found }
    }
  }

  /// Returns the available bytes. The three numbers are of different moments, so more can be cached
  /// than used.
  private static func available(_ limit: Int, _ used: Int, _ cached: Int?) -> Int {
    max(0, limit - max(0, used - (cached ?? 0)))
  }

  /// Returns the number that a file consists of, or nil if there is no such file or number.
  private static func number(in file: String) -> Int? {
    ProcFile.text(file).flatMap { number($0.prefix { !$0.isNewline }) }
  }

  private static func number(_ text: Substring) -> Int? { UInt64(text).map { Int(clamping: $0) } }

  /// Returns the number after a word at the start of a line.
  private static func number(after word: String, in file: String) -> Int? {
    for line in ProcFile.text(file)?.split(separator: "\n") ?? [] {
      let parts = line.split(separator: " ")
      if parts.count > 1, parts[0] == word { return number(parts[1]) }
    }
    return nil
  }
}
