/// A mark that all tasks have which code inside a test starts: a task-local value.
///
/// Each of these tasks retains the mark until it ends. So if nothing retains it after the test, all
/// of these tasks have ended, and no search is necessary. A detached task doesn't inherit it.
package final class TaskOrigin: Sendable {
  @TaskLocal package static var current: TaskOrigin?

  package init() {}
}
