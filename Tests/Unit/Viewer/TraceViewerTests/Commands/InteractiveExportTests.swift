import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import trace_viewer

@Suite("An export from the interactive view")
struct InteractiveExportTests {
  @Test("An export from the interactive view has the findings of the settings of the view")
  func findings() throws {
    let name = "a.otlp.json"
    let directory = TemporaryDirectory(["log": SampleLog.leak])
    let growing = GrowingLog(paths: [directory.path + "/log"], follows: false)
    var snapshot = LogSnapshot.empty
    while let next = try growing.advance() { snapshot = next }
    let actions = ExternalActions(Environment([:]), directory: "", inputs: [])
    func export(_ settings: RuleSettings) -> String? {
      let log = ViewedLog(snapshot, settings, Arrangement(), isIncluded: nil)
      let notice = actions.export(log, .shown(nil), to: directory.path + "/" + name)
      #expect(!notice.isError)
      return directory.text(name)
    }
    #expect(export(RuleSettings())?.contains("undisposed 9tb1pb") == true)
    var settings = RuleSettings()
    settings.levels["undisposed"] = .off
    #expect(export(settings)?.contains("9tb1pb") == false)
  }
}
