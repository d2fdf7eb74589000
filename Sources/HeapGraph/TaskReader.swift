import SwiftRuntime

/// A reader of the runtime's descriptions of Tasks. It doesn't trust any address or content.
struct TaskReader {
  private static let maxFrames = 256
  private static let maxRecords = 64
  private static let maxNameLength = 256

  let memory: ProcessMemory
  let map: MemoryMap

  /// Returns the Task at an address, or nil if the memory isn't a Task that can still run.
  func task(at address: UInt) -> TaskRecord? {
    guard let flags = memory.half(address &+ TaskLayout.jobFlags),
      TaskLayout.isTask(jobFlags: flags),
      let counts = memory.word(address &+ ObjectLayout.referenceCounts),
      isAlive(ReferenceCounts(counts), address),
      let low = memory.half(address &+ TaskLayout.lowNumber),
      let high = memory.half(address &+ TaskLayout.highNumber),
      let word = memory.word(address &+ TaskLayout.status)
    else { return nil }
    let status = TaskStatus(word)
    let number = UInt64(high) << 32 | UInt64(low)
    // A Task gets its number before anything else can see it.
    guard !status.isEmpty, !status.isComplete, number != 0 else { return nil }
    let code = resumeAddresses(of: address)
    guard status.isRunning || !code.isEmpty else { return nil }
    let records = readRecords(of: address)
    return TaskRecord(
      address: address, number: number, name: records.name, status: status,
      wait: status.hasDependency ? records.wait : nil,
      parent: TaskLayout.isChild(jobFlags: flags)
        ? memory.word(address &+ TaskLayout.parent).flatMap { $0 == 0 ? nil : $0 } : nil,
      code: code)
  }

  private func isAlive(_ counts: ReferenceCounts, _ address: UInt) -> Bool {
    guard let table = counts.sideTable else { return counts.areOfLiveObject }
    return table & SideTableLayout.alignmentMask == 0 && memory.word(table) == address
  }

  private func isCode(_ address: UInt) -> Bool { map.part(of: address)?.use == .code }

  private func resumeAddresses(of task: UInt) -> [UInt] {
    guard let function = memory.word(task &+ TaskLayout.resumeFunction), isCode(function) else {
      return []
    }
    var code = [function]
    var context = memory.word(task &+ TaskLayout.resumeContext)
    while let frame = context, frame != 0, code.count < Self.maxFrames {
      // Each frame has the address of its caller's frame, and the function where the caller
      // resumes.
      guard let function = memory.word(frame &+ TaskLayout.callerFunction), isCode(function) else {
        break
      }
      code.append(function)
      context = memory.word(frame)
    }
    return code
  }

  private func readRecords(of task: UInt) -> (name: String?, wait: TaskRecord.Wait?) {
    var name: String?
    var wait: TaskRecord.Wait?
    var next = memory.word(task &+ TaskLayout.statusRecords)
    for _ in 0..<Self.maxRecords {
      guard let record = next, record != 0, let flags = memory.word(record) else { break }
      let content = memory.word(record &+ TaskLayout.recordContent) ?? 0
      switch TaskRecordKind(rawValue: UInt8(truncatingIfNeeded: flags)) {
      case .dependency:
        let kind = memory.half(record &+ TaskLayout.dependencyKind) ?? 0
        wait = Self.wait(kind, content) ?? wait
      case .name: name = memory.text(content, limit: Self.maxNameLength)
      case .child, .group, .cancellationHandler, nil: break
      }
      next = memory.word(record &+ TaskLayout.nextRecord)
    }
    return (name, wait)
  }

  private static func wait(_ kind: UInt32, _ address: UInt) -> TaskRecord.Wait? {
    guard let kind = UInt8(exactly: kind), address != 0 else { return nil }
    switch TaskDependencyKind(rawValue: kind) {
    case .task: return .task(address)
    case .continuation: return .continuation(address)
    case .group: return .group(address)
    case .executor: return .executor(address)
    case nil: return nil
    }
  }
}
