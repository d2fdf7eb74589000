import TestSupport
import Testing

@testable import ViewerConsole

@Suite("Options of trace-viewer run")
struct RunOptionsTests {
  @Test("The help of run is printed only for options before --")
  func help() {
    #expect(run("run", "--help").out.hasPrefix("Run a command"))
    #expect(run("help", "run").out.contains("trace-viewer run [OPTIONS] -- COMMAND"))
  }

  @Test("An invalid option is an error before the command runs")
  func early() {
    let directory = TemporaryDirectory()
    for option in [
      "--rule=nosuch=off", "--config=/nonexistent", "--baseline=/nonexistent", "--write-baseline",
    ] {
      let result = run("run", option, "--", "touch", directory.path + "/ran")
      #expect([ExitCode.usage, .cannotOpen].contains(result.code), "\(option)")
      #expect(directory.text("ran") == nil, "\(option)")
    }
  }
}
