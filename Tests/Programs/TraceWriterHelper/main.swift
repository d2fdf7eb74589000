// A process for tests that need to kill it, limit its resources, or let it exit. Usage:
//
//     TraceWriterHelper <mode> [<count>]
//
// The log's path comes from REACTIVE_TRACE, as for every program.

let arguments = CommandLine.arguments
let count = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0

switch arguments.count > 1 ? arguments[1] : "" {
case "write": Modes.write(count)
case "busy": Modes.writeForever(threads: max(1, count))
case "full": Modes.writeIntoLimit(bytes: count)
case "fork": Modes.forkAndWrite()
case "exit": Modes.exitWhileWriting(threads: max(1, count))
case "tell":
  Deaths.record(threads: count, count: Int(arguments[3]) ?? 0, way: arguments[4])
case "tell-growing":
  Deaths.record(
    threads: count, count: Int(arguments[3]) ?? 0, way: "wait", fill: Int(arguments[4]) ?? 0)
case "refill": Situations.refill(bytes: count)
case "rename": Situations.lose(renamedTo: arguments[2])
case "start": Situations.startInCode(arguments[2])
case "delete": Situations.lose(renamedTo: nil)
case "lanes": Situations.lanes(count)
case "lost-objects": LostObjects.make(ends: false)
case "lost-objects-end": LostObjects.make(ends: true)
case "changing-cycles": ChangingCycles.run()
case "lost-objects-below-stack": LostObjects.leaveBelowStack()
case "lost-objects-copies": LostObjects.copy(times: count)
case "search-after-explaining": LostObjects.searchAfterExplaining()
case "watched-objects": LostObjects.watch()
case "untraceable": Untraceable.execute(Array(arguments.dropFirst(2)))
case "streamed-objects": LostObjects.stream()
case "detected-objects": LostObjects.detect()
case "observing-screens": ObservingScreen.findCycles(count)
case "leaks": Leaks.leave(count, elements: arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1)
case "debug": Situations.printing()
case "breakpoints": Situations.breakpoints()
case "debugger": Situations.underDebugger()
case "main-thread": Situations.immediatelyOnMain()
case "unnamed": Situations.unnamed()
case "locations": Situations.locations(bytes: count)
case "crowd": Situations.crowd()
case "laned": ObservingSituations.laned()
case "joined": ObservingSituations.joined()
case "values": ObservingSituations.values()
case "keep-alive": ObservingSituations.keepAlive()
case "shared": ObservingSituations.shared()
case "equal-elements": EqualElements.observe()
case "stacks": ObservingSituations.stacks(count)
case "calls": ObservedCalls.all()
case "calls-concurrent": ObservedCalls.concurrently(count)
case "calls-deep": ObservedCalls.deeply(count)
case "calls-endless": ObservedCalls.waitForEnd()
case "calls-rotate": ObservedCalls.rotate(count)
case "calls-handler": ObservedCalls.exitFromHandler()
case "ask": ObservingSituations.ask(count)
case "measure":
  Measurements.print(records: count, threads: arguments.dropFirst(3).compactMap { Int($0) })
case "measure-elements":
  Measurements.printElements(
    records: count, only: arguments.count > 3 ? arguments[3] : nil)
case "measure-observing":
  Measurements.printObserving(
    count: count, threads: arguments.dropFirst(3).compactMap { Int($0) })
case "number":
  HostileSituations.takeNumber(
    for: arguments[2], renamedTo: arguments.count > 3 ? arguments[3] : nil)
case "streams": HostileSituations.withoutStreams()
case "no-errors": HostileSituations.fullWithoutErrors(arguments[2])
case "rotation": HostileSituations.refuseRotation()
case "hand-on": HostileSituations.handOnWithoutRoom(bytes: count)
case "folder": HostileSituations.leaveFolder(arguments[2], arguments[3])
case "output": HostileSituations.traceToOutput(arguments[2])
case "output-shared": StreamSituations.shareOutput(arguments[2])
case "output-closed":
  StreamSituations.closeAll(arguments[2], isLast: arguments.count > 3)
case "errors-replaced": StreamSituations.replaceErrors(arguments[2])
case "errors-piped": StreamSituations.pipeForErrors()
case "terminal": StreamSituations.traceToTerminal()
case "rights": StreamSituations.withForeignRights()
case "stop-twice": StreamSituations.stopTwice()
case "interrupt":
  HostileSituations.interrupt(
    times: count, exitAt: arguments.count > 3 ? Int(arguments[3]) : nil)
case "forks": HostileSituations.fork(times: count)
case "forks-observing": ForkSituations.observe(times: count)
case "forks-checking": ForkSituations.check(times: count)
case "fork-outlive": ForkSituations.outliveParent(arguments[2])
case "fork-handler": ForkSituations.startUnderLock(arguments[2])
case "restore": LimitSituations.restore(bytes: count)
case "keys": LimitSituations.takeKeys(arguments[2])
case "addresses": LimitSituations.limitAddresses(gigabytes: count)
case "outgrow": LimitSituations.outgrowAddresses(megabytes: count)
case "file-memory": LimitSituations.countMemoryOfFiles(count)
case "small-stack": LimitSituations.exitOnThread(stackSize: count)
case "allocator":
  LimitSituations.exitFromAllocator(
    signalStack: arguments.count > 2 ? count : nil)
case "retained":
  Explaining.leave(way: arguments[2], count: arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1)
case "measure-explaining": Explaining.measure(count)
case "object": ObjectHolding.explain(way: arguments[2])
case "growing": GrowingClasses.repeat(arguments[2], count: 5)
case "compare-instances": GrowingClasses.compare()
case "leaked-values": LeakedValues.leave()
case "left-tasks": LeftTasks.find(way: arguments[2])
case "publish-retained": Explaining.publishUpToEachByte()
case "parked": ParkedTasks.waitForEnd()
case "lock-order": LockedThreads.waitForEachOther()
case "endless-loop": LockedThreads.runForever()
#if os(Linux)
  case "signal-waits": LockedThreads.waitForSignals()
  case "blocking-calls":
    LockedThreads.makeBlockingCalls(named: arguments.count > 2 ? arguments[2] : nil)
  case "drained-writes": LockedThreads.writeToDrainedPipe()
  case "wakes": EventWriter.run(numbers: count)
#endif
default:
  print(
    "modes: write, busy, full, fork, exit, tell, tell-growing, refill, rename, delete, lanes,"
      + " leaks, debug, breakpoints, debugger, unnamed, locations, crowd, laned, joined, values,"
      + " keep-alive, shared, stacks, calls, calls-concurrent, calls-deep, calls-endless,"
      + " calls-rotate, calls-handler, ask, main-thread, measure, measure-elements,"
      + " measure-observing, number, streams, no-errors, rotation, hand-on, folder, output,"
      + " output-shared, output-closed, errors-replaced, errors-piped, terminal, rights,"
      + " stop-twice, interrupt, forks, forks-observing, forks-checking, fork-outlive,"
      + " fork-handler, restore, keys, addresses, outgrow, file-memory, small-stack, allocator,"
      + " retained, measure-explaining, object, left-tasks, publish-retained, parked, lock-order,"
      + " endless-loop, signal-waits, blocking-calls, drained-writes,"
      + " lost-objects-below-stack, lost-objects-copies,"
      + " equal-elements, leaked-values, wakes"
  )
}
