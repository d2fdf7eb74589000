import SystemLibrary
import Testing

@testable import ViewerConsole
@testable import trace_viewer

@Suite("ChildCommand")
struct ChildCommandTests {
  @Test("The status of a child process is decoded")
  func changes() {
    #expect(ChildCommand.Change(status: 0) == .ended(.exited(0)))
    #expect(ChildCommand.Change(status: 0x0300) == .ended(.exited(3)))
    #expect(ChildCommand.Change(status: 0xFF00) == .ended(.exited(255)))
    #expect(ChildCommand.Change(status: 9) == .ended(.killed(by: 9)))
    // With a core file.
    #expect(ChildCommand.Change(status: 0x8B) == .ended(.killed(by: 11)))
    #expect(ChildCommand.Change(status: SIGTSTP << 8 | 0x7F) == .stopped)
    #expect(ChildCommand.Change(status: SIGCONT << 8 | 0x7F) == .continued)
    #expect(ChildCommand.Change(status: 0xFFFF) == .continued)
  }

  @Test("The exit code of a child process is the one that a shell reports")
  func codes() {
    #expect(ChildCommand.Ending.exited(7).code.rawValue == 7)
    #expect(ChildCommand.Ending.killed(by: SIGTERM).code.rawValue == 143)
    #expect(ChildCommand.Ending.killed(by: SIGINT).code == .interrupted)
  }
}
