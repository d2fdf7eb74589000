import SystemLibrary
import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import trace_viewer

@Suite("Paths of sources named in a log")
struct SourcePathTests {
  private let project = TemporaryDirectory(["Sources/App/Model.swift": "", "secret/passwd": ""])
  private let other = TemporaryDirectory(["passwd": "", "Model.swift": ""])

  private func sourceFile(_ file: String) -> ExternalActions.SourceFile {
    ExternalActions(Environment([:]), directory: project.path, inputs: []).sourceFile(file)
  }

  private func path(_ file: String) -> String? {
    if case .found(let path) = sourceFile(file) { path } else { nil }
  }

  @Test("If several files have the name of a source, they are listed")
  func ambiguous() {
    let project = TemporaryDirectory(["A/Util.swift": "", "B/Util.swift": ""])
    let actions = ExternalActions(Environment([:]), directory: project.path, inputs: [])
    #expect(actions.sourceFile("App/Util.swift") == .ambiguous(["A/Util.swift", "B/Util.swift"]))
    #expect(actions.sourceFile("B/Util.swift") == .found(path: project.path + "/B/Util.swift"))
    #expect(actions.sourceFile("App/Other.swift") == .missing)
  }

  @Test("An absolute path is opened only below the directory")
  func absolute() {
    let model = project.path + "/Sources/App/Model.swift"
    #expect(path(model) == model)
    #expect(path(project.path + "/Sources/../Sources/App/Model.swift") == model)
    #expect(path(other.path + "/passwd2") == nil)
    #expect(path("/etc/hostname") == nil)
    #expect(path(project.path + "/../../etc/hostname") == nil)
  }

  @Test("An absolute path from another machine is located in the project")
  func located() {
    #expect(path("/home/ci/App/Model.swift") == project.path + "/Sources/App/Model.swift")
    #expect(path(other.path + "/Model.swift") == project.path + "/Sources/App/Model.swift")
  }

  @Test("A folder or a link that leaves the directory isn't opened")
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
