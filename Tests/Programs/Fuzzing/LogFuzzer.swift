// A libFuzzer target for the log reader and the analysis. Tests/Scripts/fuzz.sh runs it.
//
// Nothing may crash, and the result must not depend on where the bytes of a log are divided.

@testable import TraceAnalysis
@testable import TraceFormat

/// Tests one input. libFuzzer calls this function repeatedly.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let source = LogSource(name: "input", bytes: bytes)
  let whole = analysis(of: source, rangeSize: nil)
  // The division depends on the input, so that the fuzzer can search for one that fails.
  let first = max(1, Int(bytes.first ?? 1))
  for rangeSize in [first, count / 2 + 1] {
    let divided = analysis(of: source, rangeSize: rangeSize)
    guard divided == whole else {
      fatalError("Divided at \(rangeSize): \(divided) is not \(whole)")
    }
  }
  return 0
}

private func analysis(of source: LogSource, rangeSize: Int?) -> [String] {
  let reading = ParallelReading([source], workers: 1, rangeSize: rangeSize)
  guard let (log, errors) = try? LogAnalysis.read([source], reading: reading) else { return [] }
  var said = errors.map(\.sentence) + log.lifecycles.map { describe($0, log) }
  said += log.logs.map { "\($0.title) \($0.records) \($0.lost) \($0.missing) \($0.offset)" }
  said += Damage.Kind.allCases.map { "\($0) \(log.damage.count($0))" }
  var settings = RuleSettings()
  settings.limits = [.init(lanes: GlobPattern("*"), maxCount: 1)]
  settings.mainLanes = [GlobPattern("?*")]
  settings.thresholds = ["silent": ["after": 0], "burst": ["count": 1], "growth": ["min": 2]]
  let verdict = Verdict(log, settings)
  said += verdict.findings.map { finding in
    "\(Fingerprint(finding, in: log).digest) \(finding.members) \(finding.isProven) "
      + "\(finding.consequences) \(finding.advice) \(String(describing: finding.retention)) "
      + finding.sentence.text(text: { $0 }, duration: { "\($0.count)" }, count: { "\($0) \($1)" })
  }
  let groups = FindingGroup.groups(of: verdict.findings, in: log)
  said += groups.map { "\($0.findings.map(\.lifecycle)) \(String(describing: $0.observed))" }
  said += LaneSummary.lanes(of: log).map { "\($0.lane) \($0.started) \($0.elements)" }
  let timeline = try? Timeline(
    LogExcerpt(log), LaneSelection(LogExcerpt(log), limit: 5), suspects: [], columns: 20)
  said += timeline?.lanes.map { "\($0.name) \($0.rows.map(\.elements))" } ?? []
  return said
}

private func describe(_ lifecycle: Lifecycle, _ log: LogAnalysis) -> String {
  let events = log.lastEvents(of: lifecycle, maxCount: 3).map { "\($0.kind) \($0.text ?? "")" }
  return
    "\(log.name(of: lifecycle)) \(lifecycle.site.lane) \(lifecycle.state) \(lifecycle.elements)"
    + " \(lifecycle.start.count) \(lifecycle.last.location.line) \(lifecycle.peakRate.count)"
    + " \(lifecycle.digest) \(log.ancestors(of: lifecycle)) \(events)"
}
