#if !Causes
  import SystemLibrary
  import TraceFormat

  // What takes the place of the searches in a program that is built without the trait `Causes`. It
  // finds nothing, and says why.

  enum WithoutCauses {
    static let reason = "the program was built without the trait Causes of this package"
  }

  enum CauseSearch {
    static let neededMemory = 0
  }

  final class CodeNames: Sendable {
    func lookUp(stacks: [CallStack], functions: [UInt], limit: Int?) -> Bool { true }
    func known(_ stacks: [CallStack]) -> [CodeLocation?] { stacks.map { _ in nil } }
    func knownCallers(_ stacks: [CallStack]) -> [[CodeLocation]] { stacks.map { _ in [] } }
    func fallback(for stack: CallStack) -> CodeLocation? { nil }
  }

  enum TaskNumber {
    static func next() -> UInt64? { nil }
    static var current: UInt64? { nil }
  }

  package struct StuckTask: Sendable, CustomStringConvertible {
    package let source: String?
    package let description: String

    private static let warning: Void = Diagnostics.warn(
      "tests aren't checked for tasks that can't end: \(WithoutCauses.reason).")

    static func find(
      from marks: [UInt?], limit: Int
    ) -> (tasks: [[StuckTask]], limit: Retention.Limit?) {
      _ = warning
      return (marks.map { _ in [] }, nil)
    }
  }

  package struct HangReport: Sendable {
    package let text = "What it waits for isn't known: \(WithoutCauses.reason)."
    package let source: String? = nil
    package static var currentTask: UInt64? { nil }

    package init(ofTask number: UInt64?) {}
  }
#endif
