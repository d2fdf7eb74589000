import SystemLibrary
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import trace_viewer

@Suite("The source that a log names")
struct SourcePathTests {
  private let project = TemporaryDirectory(["Sources/App/Model.swift": "", "secret/passwd": ""])
  private let other = TemporaryDirectory(["passwd": "", "Model.swift": ""])

  private func path(_ file: String) -> String? {
    ExternalActions(Environment([:]), directory: project.path, inputs: []).path(ofSource: file)
  }

  @Test("is opened by its whole path only below the directory")
  func absolute() {
    let model = project.path + "/Sources/App/Model.swift"
    #expect(path(model) == model)
    #expect(path(project.path + "/Sources/../Sources/App/Model.swift") == model)
    #expect(path(other.path + "/passwd2") == nil)
    #expect(path("/etc/hostname") == nil)
    #expect(path(project.path + "/../../etc/hostname") == nil)
  }

  @Test("is one of the project where its whole path is that of another machine")
  func located() {
    #expect(path("/home/ci/App/Model.swift") == project.path + "/Sources/App/Model.swift")
    #expect(path(other.path + "/Model.swift") == project.path + "/Sources/App/Model.swift")
  }

  @Test("is not reached by a link out of the directory, and is a file")
  func links() throws {
    try #require(symlink(other.path + "/passwd", project.path + "/Link.swift") == 0)
    try #require(symlink(other.path, project.path + "/folder") == 0)
    defer {
      unlink(project.path + "/Link.swift")
      unlink(project.path + "/folder")
    }
    #expect(path(project.path + "/Link.swift") == nil)
    #expect(path(project.path + "/folder/Model.swift") != other.path + "/Model.swift")
    #expect(path(project.path + "/Sources") == nil)
  }
}
