import HostSafety
import LeakInspection
import TraceFormat
import ViewerConsole

enum LeaksCommand {
  static func dump(_ process: Int32) {
    let start = LogClock.monotonic()
    var result: Result<LeakReport, LeakSearchFailure>?
    let error = StoppedProcess.with(process) { threads in
      result = Result { () throws(LeakSearchFailure) in
        try LeakSearch.search(process, threads, deadline: LogClock.monotonic() + 20_000_000_000)
      }
    }
    print("error", error, (LogClock.monotonic() - start) / 1_000_000, "ms")
    switch result {
    case .success(let report):
      print(report.objectCount, report.heapBytes, report.isCut)
      for f in report.findings {
        print(f.kind, f.name, f.module, f.count, f.isOfUser, f.site ?? "-", f.retention.isProbable ? "probable" : "")
        print("  members", f.members.map { "\($0.count) \($0.name) \($0.bytes)" }, "held", f.held.map { "\($0.count) \($0.name) \($0.bytes)" })
        for (i, s) in f.retention.steps.enumerated() { print("  ", i == f.retention.breakIndex ? "*" : " ", RetentionWords.name(of: s), "|", RetentionWords.detail(of: s), s.site ?? "") }
      }
    case .failure(let failure): print(failure)
    case nil: break
    }
  }
}
