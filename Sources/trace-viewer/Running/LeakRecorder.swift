#if os(Linux)
  import SystemLibrary
  import TraceReports
  import HeapGraph
  import LeakDetection
  import ProcessInspection
  import TraceFormat
  import ViewerConsole

  /// Searches processes for objects that leaked, and writes what it finds as logs in the folder of
  /// a run, so that they are checked together with the logs that the processes write.
  final class LeakRecorder {
    /// The maximum time of a search, in nanoseconds.
    static let limit = 30_000_000_000

    private let folder: LogFolder
    /// A Boolean value that indicates whether leaks of frameworks are written, too.
    private let includesAll: Bool
    /// The number of findings that were written.
    private var findingCount = 0
    /// The number of logs that were written.
    private(set) var logCount = 0
    /// The findings about frameworks that weren't written.
    private var others: (count: Int, bytes: Int) = (0, 0)
    /// What couldn't be searched, as sentences.
    private(set) var problems: [String] = []
    /// Sentences about processes that were searched only for cycles.
    private var limits: [String] = []
    /// A Boolean value that indicates whether a process couldn't be searched, rather than that
    /// nothing is known about its objects.
    private(set) var hasFailed = false

    /// A Boolean value that indicates whether the logs have the numbers of all objects by class.
    private let countsClasses: Bool
    /// The numbers of all objects by class, of all processes.
    private(set) var classes: [LeakedObjects.Class] = []
    private var logs: [[UInt8]] = []

    init(_ folder: LogFolder, includesAll: Bool, countsClasses: Bool = false) {
      self.folder = folder
      self.includesAll = includesAll
      self.countsClasses = countsClasses
    }

    /// Returns whether a process is searched: one with a Swift program that isn't the toolchain's.
    func isWanted(_ process: Int32, through thread: Int32) -> Bool {
      process != getpid() && SwiftPrograms.runs(thread)
        && (includesAll || !SwiftPrograms.isOfToolchain(thread))
    }

    /// Returns whether a process has executed a program that doesn't work while it is traced, and
    /// notes that it isn't searched.
    func mustNotBeTraced(_ process: Int32) -> Bool {
      guard SwiftPrograms.hasAddressSanitizer(process) else { return false }
      hasFailed = true
      problems.append(
        "\(ProcessEntry.programName(of: process)) (\(process)): It isn't searched, because it has "
          + "the address sanitizer, which searches it for leaks.")
      return true
    }

    /// Searches a process.
    ///
    /// - Parameters:
    ///   - thread: A thread of the process, or the process itself.
    ///   - pass: The only pass if no thread runs. Otherwise the first or the second one.
    ///   - deadline: The end of the search, in nanoseconds of the monotonic clock.
    func search(
      through thread: Int32, _ threads: LeakSearch.Threads, _ pass: SearchPass = .single,
      deadline: Int
    ) -> Result<LeakSearchResult, LeakSearchFailure> {
      Result { () throws(LeakSearchFailure) in
        try LeakSearch.search(thread, threads, pass, deadline: deadline)
      }
    }

    /// Searches a core file, and writes the result as a log. Returns false if it has findings that
    /// aren't certain.
    func search(_ core: InspectedCore, _ path: String, deadline: Int) -> Bool {
      let result = Result { () throws(LeakSearchFailure) in
        try LeakSearch.search(core, deadline: deadline)
      }
      let process = core.process
      let count = findingCount
      write(result, of: process.process, named: process.programName)
      guard findingCount > count, core.givesAddressesToKernel else { return true }
      limits.append(LeakWords.limit(ofCore: path))
      return false
    }

    /// Writes the result of a search as a log.
    ///
    /// - Parameter thread: A thread of the process that hasn't ended, or nil for the first one.
    func write(
      _ result: Result<LeakSearchResult, LeakSearchFailure>, of process: Int32,
      through thread: Int32? = nil
    ) {
      write(result, of: process, named: ProcessEntry.programName(of: thread ?? process))
    }

    private func write(
      _ result: Result<LeakSearchResult, LeakSearchFailure>, of process: Int32, named name: String
    ) {
      var findings: [LeakFinding] = []
      var isWhole = true
      var searched = 0
      var found: [LeakedObjects.Class] = []
      switch result {
      case .success(let report):
        isWhole = !report.isCut && report.unreadableLibrary == nil
        searched = report.heapBytes
        if countsClasses { found = report.classes }
        if report.isCut {
          hasFailed = true
          problems.append(
            "\(name) (\(process)): There are too many leaked objects to examine all of them.")
        }
        if let library = report.unreadableLibrary {
          problems.append(
            "\(name) (\(process)): '\(RawPath.shown(library))' can't be read, or isn't the file "
              + "that the process has any more. So leaked objects may be missing.")
        }
        if let allocator = report.allocator {
          limits.append("\(name) (\(process)): \(LeakWords.limit(of: allocator))")
        }
        if report.isOfRunningProcess {
          let limit = LeakWords.limitOfRunning(includesTasks: !report.hidesRegisters)
          limits.append("\(name) (\(process)): \(limit)")
        }
        for finding in report.findings {
          if finding.isOfUser || includesAll {
            findings.append(finding)
            findingCount += 1
          } else {
            others.count += 1
            others.bytes += finding.bytes
          }
        }
      case .failure(let failure):
        isWhole = false
        if failure != .noObjects { hasFailed = true }
        problems.append("\(name) (\(process)): \(LeakWords.sentence(failure, process))")
      }
      logCount += 1
      let identity = LogIdentity(about: process, named: name)
      let bytes = LeakLog.bytes(
        findings, classes: found, searched: searched, isWhole: isWhole, identity)
      classes += found
      if countsClasses { logs.append(bytes) }
      let path = "\(folder.path)/\(process)-leaks-\(logCount).jsonl"
      if let problem = Self.write(bytes, to: path) {
        hasFailed = true
        problems.append("\(RawPath.shown(path)): The file cannot be written: \(problem).")
      }
    }

    /// Writes all logs to one file, for a later comparison.
    func save(to path: String) throws(RunFailure) {
      let file = RawPath.with(path) {
        open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o666)
      }
      if let reason = file < 0
        ? SystemError.reason(errno) : Self.write(logs.flatMap(\.self), to: file)
      {
        throw RunFailure(
          .cannotWrite, "The file '\(RawPath.shown(path))' cannot be written: \(reason).")
      }
    }

    /// Sentences about processes that were searched only for cycles, and about the leaks of
    /// frameworks that weren't written.
    var notes: [String] {
      guard others.count > 0 else { return limits }
      return limits + [
        "\(CountText.make(others.count, "leak")) of frameworks, "
          + "\(CountText.make(others.bytes, "byte")). --all shows them."
      ]
    }

    /// Returns the reason if the file can't be written.
    private static func write(_ bytes: [UInt8], to path: String) -> String? {
      let file = RawPath.with(path) {
        open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      }
      return file < 0 ? SystemError.reason(errno) : write(bytes, to: file)
    }

    /// Writes bytes to a file and closes it.
    private static func write(_ bytes: [UInt8], to file: Int32) -> String? {
      defer { close(file) }
      var done = 0
      while done < bytes.count {
        let count = bytes.withUnsafeBytes {
          SystemLibrary.write(file, $0.baseAddress.map { $0 + done }, bytes.count - done)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return SystemError.reason(errno) }
        done += count
      }
      return nil
    }
  }

  /// The words about searches that failed.
  enum LeakWords {
    static let notSwift = "It is not a Swift program."

    static func limitOfRunning(includesTasks: Bool) -> String {
      "It wasn't stopped, so only cycles of objects \(includesTasks ? "and tasks " : "")are found. "
        + "'--stop' finds other leaks, too."
    }

    static func limit(ofCore path: String) -> String {
      "'\(RawPath.shown(path))': The program can give addresses of objects to the kernel, with "
        + "functions such as epoll_ctl. They aren't in a core file, so it isn't certain that these "
        + "objects leaked."
    }

    static func limit(of allocator: ForeignAllocator) -> String {
      "Its allocator is \(allocator.name ?? "not that of glibc"), so only cycles of objects are "
        + "found, and not objects that were retained by hand."
    }

    static func sentence(_ unsearched: TracedProcesses.Unsearched, count: Int) -> String {
      let program = RawPath.shown(unsearched.program)
      let processes = CountText.make(count, "process", "processes")
      let rest = count == 1 ? "which wasn't searched" : "which weren't searched"
      return switch unsearched.reason {
      case .signal(let signal): "\(program): Signal \(signal) ended \(processes), \(rest)."
      case .executed: "\(program): Another program replaced it in \(processes), \(rest) before."
      case .running: "\(program): After the end of the command, \(processes) still ran, \(rest)."
      }
    }

    static func sentence(_ failure: LeakSearchFailure, _ process: Int32) -> String {
      switch failure {
      case .unreadable:
        InspectionWords.sentence(InspectionFailure(reading: process), process: process)
      case .sanitizer(let allocator):
        "It has the allocator of \(allocator.name ?? "a sanitizer"), whose objects cannot be "
          + "searched. Build it without the sanitizer."
      case .noObjects: "No object was recognized in it, so it is not known whether objects leaked."
      case .limit: "The search took too long or needed too much memory."
      }
    }
  }
#endif
