#if os(Linux)
  import HeapGraph
  import CodeLocations
  import ProcessMemory
  import SystemLibrary
  import TaskInspection

  /// Where leaked tasks wait, as `trace-viewer tasks` shows it.
  struct AwaitStacks {
    /// The addresses where each task and its callers resume, innermost first, by the tasks' nodes.
    private let addresses: [Int: [UInt]]
    private let files: ProcessFiles

    init(of tasks: [Int], _ graph: UnreachableGraph, _ reader: TaskReader, _ files: ProcessFiles) {
      addresses = Dictionary(
        tasks.map { ($0, reader.resumeAddresses(of: graph.nodes[$0].address).calls) },
        uniquingKeysWith: { first, _ in first })
      self.files = files
    }

    /// The addresses of all functions that resume.
    var functions: Set<UInt> { Set(addresses.values.joined()) }

    /// Returns the addresses where a task and its callers resume, innermost first.
    func addresses(ofTask node: Int) -> [UInt] { addresses[node] ?? [] }

    /// Returns the line of the innermost `await` of the program itself, or nil if it isn't known.
    ///
    /// - Parameter functions: The functions at the addresses.
    func place(ofTask node: Int, _ functions: [UInt: CodeFunction]) -> String? {
      addresses(ofTask: node).map {
        InspectedFrame(functions[$0], files.image(at: $0), resumingAt: $0)
      }.place?.source
    }

    /// Returns whether the program's own code waits for a continuation, or nil if none of its code
    /// is known.
    ///
    /// - Parameter functions: The functions at the addresses.
    func showContinuation(ofTask node: Int, _ functions: [UInt: CodeFunction]) -> Bool? {
      FunctionNames.waitForContinuation(addresses(ofTask: node).map { functions[$0] })
    }
  }
#endif
