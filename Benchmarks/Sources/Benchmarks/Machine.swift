import Foundation

/// Describes the machine of a run, without its name.
func describeMachine() -> String {
  let info = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
  let model = info?.split(separator: "\n").first { $0.hasPrefix("model name") }?
    .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
  let system = ProcessInfo.processInfo.operatingSystemVersionString
  return
    "\(model ?? "unknown processor"), \(ProcessInfo.processInfo.activeProcessorCount) cores, "
    + system
}
