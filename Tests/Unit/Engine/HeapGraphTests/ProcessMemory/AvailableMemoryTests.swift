#if os(Linux)
  import SystemLibrary
  import TestSupport
  import Testing

  @Suite("Available memory")
  struct AvailableMemoryTests {
    private let folder = TemporaryDirectory()

    /// Writes files, and returns the available bytes according to them.
    private func bytes(_ files: [String: String]) -> Int? {
      for (name, text) in files { folder.write(text, to: name) }
      return AvailableMemory.bytes(root: folder.path)
    }

    private static let machine = [
      "proc/meminfo": "MemTotal: 2000 kB\nMemFree: 10 kB\nMemAvailable:    1000 kB\n"
    ]

    @Test("Without a limit for a group, the machine's memory is available")
    func machine() {
      #expect(bytes([:]) == nil)
      #expect(bytes(Self.machine) == 1000 << 10)
      #expect(
        bytes([
          "proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n",
          "sys/fs/cgroup/a/memory.current": "500\n",
        ]) == 1000 << 10)
    }

    @Test("A group of version 2 is limited by itself and by the groups that contain it")
    func version2() {
      let files = [
        "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "300000\n",
        "sys/fs/cgroup/a/b/memory.current": "100000\n",
        "sys/fs/cgroup/a/b/memory.stat": "anon 60000\ninactive_file 5000\nactive_file 7\n",
      ]
      #expect(bytes(files.merging(Self.machine) { $1 }) == 205_000)
      let outer = [
        "sys/fs/cgroup/a/memory.max": "200000\n", "sys/fs/cgroup/a/memory.current": "200100\n",
      ]
      #expect(bytes(outer) == 0)
      #expect(bytes(["proc/meminfo": "\n", "sys/fs/cgroup/a/memory.max": "x\n"]) == 205_000)
    }

    @Test("A group of version 1 has a limit, also if its path is that of a container's host")
    func version1() {
      let group = "sys/fs/cgroup/memory/a"
      let files = [
        "proc/self/cgroup": "3:cpu,cpuacct:/x\n4:memory:/a\n0::/\n",
        group + "/memory.stat":
          "cache 9\nhierarchical_memory_limit 300000\ntotal_inactive_file 4\n",
        group + "/memory.usage_in_bytes": "100000\n",
      ]
      #expect(bytes(files.merging(Self.machine) { $1 }) == 200_004)
      let mounted = [
        "proc/self/cgroup": "4:memory:/docker/5\n",
        "sys/fs/cgroup/memory/memory.stat": "hierarchical_memory_limit 90000\n",
        "sys/fs/cgroup/memory/memory.usage_in_bytes": "80000\n",
      ]
      #expect(bytes(mounted) == 10_000)
      let broken = ["proc/self/cgroup": "4:memory\n\n:::\n", "proc/meminfo": "MemAvailable:\n"]
      #expect(bytes(broken) == nil)
    }

    @Test("Numbers without a meaning don't end the process")
    func extremes() {
      // Version 1 writes this limit for a group without one. The numbers are of different moments.
      let group = [
        "proc/self/cgroup": "4:memory:/a\n",
        "sys/fs/cgroup/memory/a/memory.usage_in_bytes": "4096\n",
        "sys/fs/cgroup/memory/a/memory.stat":
          "hierarchical_memory_limit 9223372036854771712\ntotal_inactive_file 90000\n",
      ]
      #expect(bytes(group) == 9_223_372_036_854_771_712)
      #expect(bytes(["sys/fs/cgroup/memory/a/memory.usage_in_bytes": "-1\n"]) == nil)
      let huge = "\(UInt64.max)"
      #expect(
        bytes([
          "proc/meminfo": "MemAvailable: \(huge) kB\n", "proc/self/cgroup": "0::/\n",
          "sys/fs/cgroup/memory.max": huge, "sys/fs/cgroup/memory.current": huge,
          "sys/fs/cgroup/memory.stat": "inactive_file \(huge)\n",
        ]) == 1 << 60)
    }

    @Test("The memory of this process is known")
    func now() throws {
      #expect(try #require(AvailableMemory.bytes()) > 1 << 20)
    }
  }
#endif
