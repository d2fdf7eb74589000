import Testing

@testable import SwiftRuntime

@Suite("The status of a task")
struct TaskStatusTests {
  @Test("A status is plausible if the task runs, could run or waits, with a usual priority")
  func plausible() {
    for state: UInt in [0x800, 0x1000, 0x4000, 0x4900] {
      #expect(TaskStatus(state | 0x15).isPlausible)
      #expect(!TaskStatus(state | 0x10).isPlausible)
    }
    #expect(!TaskStatus(0x15).isPlausible)
    #expect(!TaskStatus(0x115).isPlausible)
  }
}
