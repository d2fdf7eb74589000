import SwiftRuntime

/// A reader of the runtime's descriptions of Tasks. It doesn't trust any address or content.
package struct TaskReader {
  private static let maxRecords = 64

  let memory: ProcessMemory
  private let map: MemoryMap
  /// The address of the metadata of Tasks, with which each Task begins.
  private let metadata: UInt

  package init(memory: ProcessMemory, map: MemoryMap, metadata: UInt) {
    self.memory = memory
    self.map = map
    self.metadata = metadata
  }

  /// The words of a Task that change when it moves on, and when its memory gets another use.
  struct Version: Equatable {
    fileprivate let number: UInt64
    fileprivate let status: UInt
    /// The first of the records that belong to the status.
    fileprivate let record: UInt?
    fileprivate let resumeFunction: UInt?
    fileprivate let resumeContext: UInt?
    /// The caller of the innermost frame.
    fileprivate let caller: UInt?

    /// Returns whether both belong to the same Task.
    func isOfSameTask(_ other: Version) -> Bool { number == other.number }
  }

  /// What one look at a Task found.
  struct Reading: Equatable {
    let record: TaskRecord
    let version: Version
    /// A Boolean value that indicates whether the Task, as far as one look can tell, didn't move on
    /// in the meantime.
    let isConsistent: Bool
  }

  /// Returns the version of the Task at an address, or nil if the memory isn't a Task.
  func version(at address: UInt) -> Version? {
    guard memory.word(address) == metadata,
      let low = memory.half(address &+ TaskLayout.lowNumber),
      let high = memory.half(address &+ TaskLayout.highNumber),
      let status = memory.word(address &+ TaskLayout.status)
    else { return nil }
    let context = memory.word(address &+ TaskLayout.resumeContext)
    return Version(
      number: UInt64(high) << 32 | UInt64(low), status: status,
      record: memory.word(address &+ TaskLayout.statusRecords),
      resumeFunction: memory.word(address &+ TaskLayout.resumeFunction), resumeContext: context,
      caller: context.flatMap { memory.word($0 &+ TaskLayout.callerFunction) })
  }

  /// Returns the Task at an address, or nil if the memory isn't a Task that can still run.
  func task(at address: UInt) -> Reading? {
    guard let flags = memory.half(address &+ TaskLayout.jobFlags),
      TaskLayout.isTask(jobFlags: flags),
      let counts = memory.word(address &+ ObjectLayout.referenceCounts),
      isAlive(ReferenceCounts(counts), address), let version = version(at: address)
    else { return nil }
    let status = TaskStatus(version.status)
    let number = version.number
    // A Task gets its number before anything else can see it. Reused memory can look like a Task.
    // The checks of the priority and of the upper half of the number reject most of it.
    guard !status.isEmpty, !status.isComplete, number != 0, number <= TaskLayout.maxNumber,
      status.priority <= TaskLayout.maxPriority
    else { return nil }
    let code = resumeAddresses(of: address)
    guard status.isRunning || !code.calls.isEmpty else { return nil }
    let records = readRecords(of: address)
    let record = TaskRecord(
      address: address, number: number, name: records.name, status: status,
      wait: status.hasDependency ? records.wait : nil,
      parent: TaskLayout.isChild(jobFlags: flags)
        ? memory.word(address &+ TaskLayout.parent).flatMap { $0 == 0 ? nil : $0 } : nil,
      code: code.calls, gap: code.gap, hasCancellationHandler: records.hasCancellationHandler)
    return Reading(
      record: record, version: version, isConsistent: records.areConsistent)
  }

  /// Returns the name of a Task, or nil if it doesn't have one or if it can't be read now.
  func name(ofTaskAt address: UInt) -> String? { readRecords(of: address).name }

  private func isAlive(_ counts: ReferenceCounts, _ address: UInt) -> Bool {
    guard let table = counts.sideTable else { return counts.areOfLiveObject }
    return table & SideTableLayout.alignmentMask == 0 && memory.word(table) == address
  }

  private func isCode(_ address: UInt) -> Bool { map.part(of: address)?.use == .code }

  /// Returns the addresses where a Task and its callers resume, innermost first.
  package func resumeAddresses(of task: UInt) -> CallList<UInt> {
    var code = CallList<UInt>()
    guard let function = memory.word(task &+ TaskLayout.resumeFunction), isCode(function) else {
      return code
    }
    code.append(function)
    var context = memory.word(task &+ TaskLayout.resumeContext)
    while let frame = context, frame != 0, !code.isFull {
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

  /// What the records of a Task say.
  private struct Records {
    var name: String?
    var wait: TaskRecord.Wait?
    var hasCancellationHandler = false
    /// A Boolean value that indicates whether all are records. The memory of a record has another
    /// use when the Task has moved on.
    var areConsistent = true
  }

  private func readRecords(of task: UInt) -> Records {
    var records = Records()
    var next = memory.word(task &+ TaskLayout.statusRecords)
    for _ in 0..<Self.maxRecords {
      guard let record = next, record != 0 else { break }
      guard let flags = memory.word(record), flags <= UInt8.max else {
        records.areConsistent = false
        break
      }
      let content = memory.word(record &+ TaskLayout.recordContent) ?? 0
      switch TaskRecordKind(rawValue: UInt8(truncatingIfNeeded: flags)) {
      case .dependency:
        let kind = memory.half(record &+ TaskLayout.dependencyKind) ?? 0
        if let kind = UInt8(exactly: kind), content != 0 {
          records.wait = TaskRecord.Wait(kind: kind, address: content) ?? records.wait
        }
      case .name: records.name = memory.textBeginning(content, limit: TaskName.maxLength)
      case .cancellationHandler: records.hasCancellationHandler = true
      case .child, .group, nil: break
      }
      next = memory.word(record &+ TaskLayout.nextRecord)
    }
    return records
  }
}

extension ProcessMemory {
  /// The maximum number of status records to read.
  private static let maxTaskRecords = 16

  /// Returns whether the status of a Task has a record of a dependency on a continuation.
  package func waitsForContinuation(taskAt task: UInt) -> Bool {
    if case .continuation? = wait(ofTaskAt: task) { true } else { false }
  }

  /// Returns what a Task waits for according to the records of its status, or nil if it doesn't
  /// wait or if that isn't known.
  package func wait(ofTaskAt task: UInt) -> TaskRecord.Wait? {
    guard let status = word(task &+ TaskLayout.status),
      status & TaskLayout.hasDependency != 0
    else { return nil }
    var record = word(task &+ TaskLayout.statusRecords)
    for _ in 0..<Self.maxTaskRecords {
      guard let address = record, address != 0, let flags = word(address) else { return nil }
      if TaskLayout.isDependency(recordFlags: flags) {
        guard let kind = half(address &+ TaskLayout.dependencyKind),
          let content = word(address &+ TaskLayout.recordContent)
        else { return nil }
        return TaskRecord.Wait(kind: UInt8(truncatingIfNeeded: kind), address: content)
      }
      record = word(address &+ TaskLayout.nextRecord)
    }
    return nil
  }
}
