import ProcessInspection
import SystemLibrary
import TerminalUI
import TraceAnalysis
import TraceReports
import ViewerCommandLine
import ViewerConsole

/// The command `trace-viewer tasks PID`: shows what a running process waits for, or one that a core
/// file describes.
enum TasksCommand {
  /// The maximum time for one inspection, in nanoseconds.
  private static let limit = 10_000_000_000
  /// The maximum time for a core file, in nanoseconds. Nothing waits for the end.
  private static let limitOfCore = 120_000_000_000
  /// The time between two inspections, in microseconds.
  private static let pause: UInt32 = 1_000_000

  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let operands = try InspectedOperand.all(console, .tasks)
    let format = console.arguments.choice(.format, TasksFormat.self) ?? .text
    guard console.arguments.has(.watch) else {
      let (code, inspections) = inspect(operands, console)
      show(inspections, format, [:], console)
      return code
    }
    let processes = operands.compactMap(\.process)
    guard processes.count == operands.count else { throw .cannotWatch }
    return watch(processes, format, console)
  }

  /// Inspects processes once. Prints why those that can't be inspected can't.
  private static func inspect(
    _ operands: [InspectedOperand], _ console: Console
  ) -> (code: ExitCode, inspections: [Inspection]) {
    var inspections: [Inspection] = []
    var code = ExitCode.clean
    func note(_ other: ExitCode) { if code == .clean || other != .inconclusive { code = other } }
    func add(_ inspection: Inspection) {
      inspections.append(inspection)
      if inspection.taskList.isOfUnknownRuntime { note(.inconclusive) }
    }
    for operand in operands {
      switch operand {
      case .process(let process):
        switch inspect(process) {
        case .success(let inspection): add(inspection)
        case .failure(let failure):
          console.writeError("Error", InspectionWords.sentence(failure, process: process))
          note(.cannotInspect)
        }
      case .core(let path):
        switch inspect(core: path, console) {
        case .success(let inspection):
          add(inspection)
          if inspection.taskList == .found(isComplete: false) { note(.inconclusive) }
          console.writeError("Note", InspectionWords.limitOfCore(path))
        case .failure(let failure):
          console.writeError("Error", InspectionWords.sentence(failure, core: path))
          note(failure.exitCode)
        }
      }
    }
    return (code, inspections)
  }

  private static func inspect(
    core path: String, _ console: Console
  ) -> Result<Inspection, CoreFailure> {
    #if os(Linux)
      InspectedCore.open(path, console).flatMap { core in
        Result { () throws(CoreFailure) in try Inspection(of: core, limit: limitOfCore) }
      }
    #else
      .failure(.unsupported)
    #endif
  }

  private static func show(
    _ inspections: [Inspection], _ format: TasksFormat, _ histories: [Int32: InspectionHistory],
    _ console: Console
  ) {
    let isFull = format == .text || console.arguments.has(.full)
    let logs = inspections.map { inspection in
      InspectionLog(
        inspection, history: histories[inspection.process.process], isFull: isFull
      ).bytes
    }
    switch format {
    case .json: for log in logs { console.out.output.write(log) }
    case .text:
      let views = logs.flatMap { bytes in
        (try? LogAnalysis.read(LogSource(name: "tasks", bytes: bytes))).map {
          InspectionView.all($0, isFull: console.arguments.has(.full))
        } ?? []
      }
      console.write(InspectionView.joined(views.map { $0.lines(console.page) }))
    }
  }

  private static func inspect(_ process: Int32) -> Result<Inspection, InspectionFailure> {
    #if os(Linux)
      Result { () throws(InspectionFailure) in
        try Inspection(ofProcess: process, limit: limit)
      }
    #else
      .failure(.unsupported)
    #endif
  }

  /// Repeats the inspection until the processes have ended or a signal ends this process.
  private static func watch(
    _ processes: [Int32], _ format: TasksFormat, _ console: Console
  ) -> ExitCode {
    var histories: [Int32: InspectionHistory] = [:]
    var open = processes
    var isFirst = true
    while true {
      let (code, inspections) = inspect(open.map(InspectedOperand.process), console)
      if isFirst, inspections.isEmpty { return code }
      // A process that has ended was reported once.
      open = inspections.map(\.process.process)
      guard !open.isEmpty else { return .clean }
      for inspection in inspections {
        histories[inspection.process.process, default: InspectionHistory()]
          .add(inspection, at: LogClock.monotonic())
      }
      if console.out.isTerminal, format == .text {
        // Moves to the upper left corner and clears the screen below it.
        console.out.output.write("\u{1B}[H\u{1B}[J")
      } else if !isFirst, format == .text {
        console.write([Line()])
      }
      show(inspections, format, histories, console)
      console.out.output.flush()
      console.error.output.flush()
      guard console.out.output.failure == nil else { return .clean }
      isFirst = false
      usleep(pause)
    }
  }
}
