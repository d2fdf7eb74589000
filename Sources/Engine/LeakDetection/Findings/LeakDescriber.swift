#if os(Linux)
  import HeapGraph
  import SystemLibrary
  import CodeLocations
  import ProcessMemory
  import SwiftRuntime
  import TraceFormat

  /// Describes unreachable objects as findings, one for each mistake.
  struct LeakDescriber {
    private let graph: UnreachableGraph
    private let memory: ProcessMemory
    private let files: ProcessFiles
    private let tasks: TaskReader
    private let names: CodeNames
    private let limit: Int
    private let deadline: Int
    /// The path of the program.
    private let program: String
    /// The nodes that are what a closure captures. Boxes of values have the same metadata.
    private let contexts: Set<Int>

    /// - Parameter limit: The maximum time, in nanoseconds.
    init(
      _ graph: UnreachableGraph, _ memory: ProcessMemory, _ map: MemoryMap, _ files: ProcessFiles,
      limit: Int
    ) {
      self.graph = graph
      self.memory = memory
      self.files = files
      tasks = TaskReader(memory: memory, map: map, metadata: 0)
      self.limit = limit
      deadline = LogClock.monotonic() + limit
      program = files.images.first?.loaded.path ?? ""
      names = CodeNames { files.image(at: $0) }
      contexts = graph.contextsOfClosures
    }

    // MARK: Findings

    /// What was found.
    struct Result {
      var findings: [LeakFinding] = []
      /// The addresses of the objects on cycles, with all bits inverted.
      var onCycles: Set<UInt> = []
      /// A Boolean value that indicates whether time ran out before everything was described.
      var isCut = false
    }

    /// Describes what was found.
    ///
    /// - Parameters:
    ///   - includesTasks: Whether the passes over a process that runs decide about tasks. The words
    ///     in the frames of a task can explain a reference that a register has.
    ///   - knowsBlocks: Whether the allocator's blocks are known. If not, something else can look
    ///     like an object, so only cycles whose objects' counts are explained are found.
    func findings(
      _ pass: SearchPass, includesTasks: Bool, knowsBlocks: Bool
    ) -> Result {
      let all = graph.cyclicComponents()
      switch pass {
      case .single:
        let cycles = knowsBlocks ? all : all.filter(isExplained)
        return result(cycles, includesUnreachable: knowsBlocks && !graph.isCut)
      case .first: return Result(onCycles: addresses(all.filter(isExplained)))
      case .second(let known, let ignored):
        var again = all.filter { component in
          isExplained(component) && (includesTasks || !component.contains(where: isTask))
            && component.allSatisfy { known.contains(~graph.nodes[$0].address) }
        }
        for _ in 0..<Self.checks where !again.isEmpty {
          usleep(Self.pause)
          again = graph.unchanged(again)
        }
        let new = again.filter { component in
          !component.allSatisfy { ignored.contains(~graph.nodes[$0].address) }
        }
        var result = result(new, includesUnreachable: false)
        result.onCycles = addresses(again)
        return result
      }
    }

    /// How often cycles of a process that runs are looked at again, and the pause before that in
    /// microseconds.
    private static let checks = 3
    private static let pause: UInt32 = 10_000

    /// Returns whether nothing else has a reference to an object of a component. An identifier of
    /// an object in a value of any type looks like one more reference, but isn't one by the types.
    private func isExplained(_ component: [Int]) -> Bool {
      graph.isGarbage(component)
        || component.allSatisfy { graph.nodes[$0].type == nil || graph.isExplained($0) }
    }

    private func isTask(_ node: Int) -> Bool { graph.nodes[node].type?.kind == .task }

    /// Returns the addresses of nodes with all bits inverted.
    private func addresses(_ components: [[Int]]) -> Set<UInt> {
      Set(components.lazy.flatMap { $0 }.map { ~graph.nodes[$0].address })
    }

    private func result(_ components: [[Int]], includesUnreachable: Bool) -> Result {
      var result = Result(onCycles: addresses(components))
      guard includesUnreachable || !components.isEmpty else { return result }
      let waits = AwaitStacks(of: components.joined().filter(isTask), graph, tasks, files)
      let functions = functions(waits.functions)
      let owners = owners(functions)
      let referenceNames = ReferenceNames {
        Self.lastingName(functions[$0])
      } ofTask: {
        waits.addresses(ofTask: $0).map { Self.lastingName(functions[$0]) }.joined(separator: " ")
      }
      let cycles = cycles(components, owners, referenceNames)
      let mistakes = mistakes(cycles, includesUnreachable: includesUnreachable)
      let initializers = Initializers(
        of: cycles.map(\.links).filter { $0.allSatisfy { $0.edge.code == 0 } }.joined()
          .compactMap { link in
            destructor(link.node).map { (link.node, functions[$0]?.symbol, files.image(at: $0)) }
          }, limit: limit)
      var groups = FindingGroups()
      // The findings about cycles of the same kind, by their shapes and certainty.
      var known: [Int: LeakFinding] = [:]
      for mistake in mistakes {
        guard LogClock.monotonic() < deadline else {
          result.isCut = true
          break
        }
        let key = mistake.cycle?.key
        let finding =
          key.flatMap { known[$0] }
          ?? mistake.cycle.map {
            cycle($0, held: mistake.held, functions, owners, waits, initializers)
          }
          ?? unreachable(mistake.members[0], functions)
        guard let finding else { continue }
        // Without a reference to change, the finding names what hangs on this cycle.
        if let key, finding.reference != nil { known[key] = finding }
        groups.add(
          finding, members: mistake.members.map(item), held: mistake.held.map(item))
      }
      result.findings = groups.findings
      return result
    }

    /// Returns what identifies a function in each run, also if the code around it moves.
    private static func lastingName(_ function: CodeFunction?) -> String {
      guard let function else { return "" }
      let location = function.location
      return [location.function, location.source, function.offset].compactMap { $0 }
        .joined(separator: " ")
    }

    /// Returns the functions of closures, those that deallocate objects, and others.
    private func functions(_ others: Set<UInt>) -> [UInt: CodeFunction] {
      var addresses = others
      addresses.formUnion(graph.edges.lazy.map(\.code).filter { $0 != 0 })
      addresses.formUnion(graph.nodes.indices.lazy.compactMap(destructor))
      let list = Array(addresses)
      _ = names.lookUp(stacks: [], functions: list, limit: limit)
      return names.knownFunctions(at: list)
    }

    private func owners(_ functions: [UInt: CodeFunction]) -> NodeOwners {
      var sources: [String: SourceOwners.Source] = [:]
      for node in graph.nodes.indices {
        guard let type = graph.nodes[node].type, type.kind == .instance,
          sources[type.fullName] == nil, let destructor = destructor(node),
          let path = functions[destructor]?.path
        else { continue }
        sources[type.fullName] = SourceOwners.Source(module: type.module, path: path)
      }
      let code = functions.values.compactMap { function in
        function.path.map { SourceOwners.Source(module: function.module, path: $0) }
      }
      let owners = SourceOwners(program: program, Array(sources.values) + code)
      return NodeOwners { [graph] node in
        guard graph.isOfUser(node), let module = graph.nodes[node].type?.module else { return nil }
        return owners.owner(ofModule: module)
      } ofCode: { code in
        guard let function = functions[code], function.origin == .user else { return nil }
        return function.path.map(owners.owner(ofPath:))
          ?? function.module.map(owners.owner(ofModule:)) ?? .program
      }
    }

    /// A component of connected cycles, and the cycle that is reported.
    private struct Cycle {
      let component: [Int]
      let links: [UnreachableGraph.Link]
      /// The number of the component's shape, or nil if no other one is alike.
      let shape: Int?
      /// A Boolean value that indicates whether each reference keeps its target alive.
      let isCertain: Bool

      /// What identifies the finding about the cycle.
      var key: Int? { shape.map { $0 * 2 + (isCertain ? 1 : 0) } }
    }

    /// Returns the cycle of each component. A program can leak a million of them, but not of a
    /// million shapes.
    private func cycles(
      _ components: [[Int]], _ owners: NodeOwners, _ names: ReferenceNames
    ) -> [Cycle] {
      var shapes: [UnreachableGraph.Shape: Int] = [:]
      var first: [(component: [Int], links: [UnreachableGraph.Link])] = []
      let found = components.map { component -> (links: [UnreachableGraph.Link], shape: Int?) in
        let shape = graph.shape(of: component)
        if let number = shape.flatMap({ shapes[$0] }) {
          let known = first[number]
          return (graph.links(of: component, like: known.links, of: known.component), number)
        }
        let links = graph.links(of: component, owners, names)
        if let shape {
          shapes[shape] = first.count
          first.append((component, links))
        }
        return (links, shape.map { _ in first.count - 1 })
      }
      let sources = graph.sources(
        of: Set(
          found.flatMap { $0.links.map(\.edge) }.filter { !graph.isCertain($0) }
            .map(\.target)))
      return zip(components, found).map { component, found in
        let members = Set(component)
        let isCertain = found.links.allSatisfy {
          graph.isCertain($0, sources[$0.edge.target] ?? [], members)
        }
        return Cycle(
          component: component, links: found.links, shape: found.shape, isCertain: isCertain)
      }
    }

    /// Objects that leak because of one mistake.
    private struct Mistake {
      /// The objects on the cycle, or the object that nothing leads to.
      let members: [Int]
      /// Nil if there isn't a cycle.
      let cycle: Cycle?
      let held: [Int]
    }

    /// Assigns each node to one mistake.
    ///
    /// Certain cycles come first, with the objects that they keep alive, and then the objects that
    /// nothing leads to. The other cycles can be false: they only count if their objects don't
    /// belong to another mistake.
    private func mistakes(_ cycles: [Cycle], includesUnreachable: Bool) -> [Mistake] {
      var owned = [Bool](repeating: false, count: graph.nodes.count)
      func mistake(_ members: [Int], _ cycle: Cycle?) -> Mistake {
        for node in members { owned[node] = true }
        return Mistake(members: members, cycle: cycle, held: spread(from: members, &owned))
      }
      // Of several cycles that keep an object alive, the first one owns it.
      let certain = inLastingOrder(cycles.filter(\.isCertain))
      // A certain cycle doesn't count as an object that another one keeps alive.
      for node in certain.flatMap(\.component) { owned[node] = true }
      var mistakes = certain.map { mistake($0.component, $0) }
      for node in includesUnreachable ? graph.nodes.indices : 0..<0
      where !owned[node] && graph.nodes[node].incoming == 0 {
        mistakes.append(mistake([node], nil))
      }
      // A component comes after those that it leads to.
      for cycle in cycles.reversed()
      where !cycle.isCertain && !cycle.component.contains(where: { owned[$0] }) {
        mistakes.append(mistake(cycle.component, cycle))
      }
      return mistakes
    }

    /// Returns cycles in an order that is the same in each run.
    private func inLastingOrder(_ cycles: [Cycle]) -> [Cycle] {
      var byShape: [Int: [String]] = [:]
      let identities = cycles.map { cycle in
        let identity = cycle.shape.flatMap { byShape[$0] } ?? identity(of: cycle)
        if let shape = cycle.shape { byShape[shape] = identity }
        return identity
      }
      let ranks = Dictionary(
        Set(identities).sorted { $0.lexicographicallyPrecedes($1) }.enumerated().map { ($1, $0) },
        uniquingKeysWith: { first, _ in first })
      return zip(cycles, identities).map { ($0, ranks[$1] ?? 0) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    private func identity(of cycle: Cycle) -> [String] {
      cycle.links.map { "\(graph.nodes[$0.node].type?.fullName ?? "") \($0.edge.offset)" }
    }

    /// Returns the nodes without an owner to which some nodes lead, and marks them as owned.
    private func spread(from start: [Int], _ owned: inout [Bool]) -> [Int] {
      var found: [Int] = []
      var open = start
      while let node = open.popLast() {
        for edge in graph.edges(of: node) where !owned[edge.target] {
          owned[edge.target] = true
          found.append(edge.target)
          open.append(edge.target)
        }
      }
      return found
    }

    private func item(_ node: Int) -> FindingGroups.Item {
      let type = graph.nodes[node].type
      let isBox = type?.kind == .closure && !contexts.contains(node)
      return FindingGroups.Item(
        name: isBox ? Self.boxedValue : type.map(name), bytes: graph.nodes[node].size)
    }

    private static let boxedValue = "boxed value"

    /// Returns the name of a class as a user would write it.
    private func name(_ type: ObjectTypes.Description) -> String {
      switch type.kind {
      case .array: "Array"
      case .dictionary: "Dictionary"
      case .set: "Set"
      case .box: Self.boxedValue
      case .errorBox: "Error"
      case .instance, .closure, .task: type.name
      }
    }

    // MARK: Cycles

    private func cycle(
      _ cycle: Cycle, held: [Int], _ functions: [UInt: CodeFunction], _ owners: NodeOwners,
      _ waits: AwaitStacks, _ initializers: Initializers
    ) -> LeakFinding {
      let described = StepDescriber(
        graph: graph, memory: memory, functions: functions, owners: owners, waits: waits,
        initializers: initializers
      ).steps(cycle.links)
      let first = Self.firstStep(described.steps)
      let steps = Array(described.steps[first...] + described.steps[..<first])
      let links = Array(described.links[first...] + described.links[..<first])
      let isOwn = Array(described.isOwn[first...] + described.isOwn[..<first])
      let index = stepToBreak(steps, links, isOwn, in: cycle.component)
      let hanging =
        index == nil && !steps.isEmpty
        ? hanging(on: cycle.component, held, functions, owners) : nil
      let retention = Retention(
        kind: .cycle, isProbable: !cycle.isCertain,
        steps: steps + (hanging.map { [$0.step] } ?? []),
        tail: hanging == nil ? 0 : 1, breakIndex: index)
      let subject = subject(steps, links, index) ?? other(cycle.component, held)
      let type = subject.flatMap { graph.nodes[$0].type }
      // A task that leaked waits, which is the place to look at.
      let task = zip(steps, links).first { isTask($1.node) }?.0
      let known = task?.site ?? index.flatMap { steps[$0].site } ?? hanging?.step.site
      let site =
        known ?? steps.lazy.compactMap(\.site).first
        ?? subject.flatMap { declaration($0, functions) }
      return LeakFinding(
        kind: .cycle,
        name: type.map(name) ?? cycle.component.lazy.compactMap { graph.nodes[$0].type?.name }.min()
          ?? "", module: type?.module ?? "",
        retention: retention, count: 1, members: [], held: [], site: site,
        reference: index.flatMap { reference(steps[$0], links[$0], functions) }
          ?? hanging?.reference,
        isOfUser: described.steps.isEmpty
          ? !isOfTestRunner(cycle.component)
            && (cycle.component + held).contains(where: graph.isOfUser)
          : described.hasUserStep)
    }

    /// Returns whether only objects of a test framework are on a cycle: the suites of a test run
    /// retain their tests until the process ends.
    private func isOfTestRunner(_ component: [Int]) -> Bool {
      let modules = component.compactMap { node in
        graph.nodes[node].type.flatMap { $0.kind == .instance ? $0.module : nil }
      }
      return !modules.isEmpty && modules.allSatisfy(FrameworkModules.containOfTests)
    }

    /// Returns the object that a finding is named after: the one with the reference to break, what
    /// the closure to change captures, or else the first one.
    private func subject(
      _ steps: [Retention.Step], _ links: [UnreachableGraph.Link], _ index: Int?
    ) -> Int? {
      let fields = steps.indices.filter { steps[$0].field != nil }
      if let index, fields.contains(index) { return links[index].node }
      let owners = fields.filter { !graph.isStorage(links[$0].node) }
      if let index, !owners.isEmpty {
        // The closure's owner comes before it, and what it captures comes after it.
        let next = owners.first { $0 > index } ?? owners[0]
        return links[next].node
      }
      return (owners.first ?? fields.first).map { links[$0].node }
    }

    /// Returns an object that represents a cycle without properties, the same one in each run.
    private func other(_ component: [Int], _ held: [Int]) -> Int? {
      let candidates =
        [component, held].lazy.map { $0.filter(graph.isOfUser) }
        .first { !$0.isEmpty } ?? component.filter { graph.nodes[$0].type != nil }
      return candidates.min {
        (graph.nodes[$0].type?.fullName ?? "") < (graph.nodes[$1].type?.fullName ?? "")
      }
    }

    /// The maximum number of steps of a cycle that are compared.
    private static let maxCandidates = 8

    /// Returns the index of the best step to break that ends all cycles of a component, or else of
    /// the best one.
    private func stepToBreak(
      _ steps: [Retention.Step], _ links: [UnreachableGraph.Link], _ isOwn: [Bool],
      in component: [Int]
    ) -> Int? {
      let candidates = Retention.stepsToBreak(steps) { isOwn[$0] }
      return candidates.prefix(Self.maxCandidates).first { index in
        let link = links[index]
        let type = graph.nodes[link.node].type?.fullName
        return graph.isAcyclic(component) { source, edge in
          steps[index].isCode
            ? edge.code != 0 && edge.code == link.code
            : edge.offset == link.edge.offset && graph.nodes[source].type?.fullName == type
        }
      } ?? candidates.first
    }

    /// Returns the text that identifies a reference in the source, if the code around it moves.
    private func reference(
      _ step: Retention.Step, _ link: UnreachableGraph.Link, _ functions: [UInt: CodeFunction]
    ) -> String? {
      if let field = step.field {
        return field.name.map { LeakedObjects.reference(property: "\(field.owner).\($0)") }
      }
      return functions[link.code]?.location.function
        .map(LeakedObjects.reference(capturedBy:))
    }

    /// What of the program is on a cycle of a dependency or hangs on it.
    private struct Hanging {
      let step: Retention.Step
      /// The text that identifies a closure.
      let reference: String?

      var order: (String, String) { (step.site ?? "", step.identity) }
    }

    /// Returns what of the program a cycle of a dependency holds: a closure, or else an object.
    private func hanging(
      on component: [Int], _ held: [Int], _ functions: [UInt: CodeFunction], _ owners: NodeOwners
    ) -> Hanging? {
      let edges = (component + held).lazy.flatMap { graph.edges(of: $0) }
      let codes = Set(edges.map(\.code).filter { owners.ofCode($0)?.isEditable == true })
      let closures = codes.compactMap { code -> Hanging? in
        guard let function = functions[code], let site = function.location.source else {
          return nil
        }
        let closure = Retention.Step.Closure(.closure, capture: .init(.unknown))
        return Hanging(
          step: Retention.Step(.closure(closure), site: site, column: function.location.column),
          reference: function.location.function.map(LeakedObjects.reference(capturedBy:)))
      }
      if let first = closures.min(by: { $0.order < $1.order }) { return first }
      return held.compactMap { node -> Hanging? in
        guard owners.ofNode(node)?.isEditable == true, let type = graph.nodes[node].type else {
          return nil
        }
        let step = Retention.Step(.object(type.name), site: declaration(node, functions))
        return Hanging(step: step, reference: nil)
      }
      .min { $0.order < $1.order }
    }

    /// Returns the index of the field with the first name, or 0. The order of objects in memory
    /// changes from run to run.
    private static func firstStep(_ steps: [Retention.Step]) -> Int {
      let fields = steps.enumerated().compactMap { index, step in
        step.field.map { (owner: $0.owner, name: $0.name ?? "", index: index) }
      }
      return fields.min { ($0.owner, $0.name) < ($1.owner, $1.name) }?.index ?? 0
    }

    // MARK: Lost objects

    private func unreachable(
      _ node: Int, _ functions: [UInt: CodeFunction]
    ) -> LeakFinding? {
      guard let type = graph.nodes[node].type, let count = graph.nodes[node].retainCount, count > 0
      else { return nil }
      return LeakFinding(
        kind: .unreachable, name: type.name, module: type.module,
        retention: Retention(kind: .none), count: 1, members: [], held: [],
        site: declaration(node, functions),
        isOfUser: graph.isOfUser(node))
    }

    // MARK: Declarations

    /// Returns the address of the function that deallocates the objects of a class. Its place in
    /// the source is that of the class or of its `deinit`.
    private func destructor(_ node: Int) -> UInt? {
      guard graph.isOfUser(node), let metadata = memory.word(graph.nodes[node].address) else {
        return nil
      }
      return memory.word(metadata &- MetadataLayout.beforeDestroy)
    }

    private func declaration(_ node: Int, _ functions: [UInt: CodeFunction]) -> String? {
      destructor(node).flatMap { functions[$0]?.location.source }
    }
  }
#endif
