#if os(Linux)
  import CodeLocations
  import ProcessMemory
  import SwiftRuntime
  import TraceFormat

  /// Describes unreachable objects as findings, one for each mistake.
  struct LeakDescriber {
    /// A step of a cycle before its code has a name.
    private struct Link {
      let node: Int
      let edge: UnreachableGraph.Edge
      /// The address of the code, if the node is what a closure captures.
      let code: UInt
    }

    private let graph: UnreachableGraph
    private let memory: ProcessMemory
    private let names: CodeNames
    private let limit: Int
    /// The nodes that are what a closure captures. Boxes of values have the same metadata.
    private let contexts: Set<Int>

    /// - Parameter limit: The maximum time to look up names, in nanoseconds.
    init(
      _ graph: UnreachableGraph, _ memory: ProcessMemory, _ files: ProcessFiles, limit: Int
    ) {
      self.graph = graph
      self.memory = memory
      self.limit = limit
      names = CodeNames { files.image(at: $0) }
      contexts = graph.contextsOfClosures
    }

    // MARK: Findings

    /// Returns the findings, and the addresses of the objects on cycles with all bits inverted.
    func findings(_ pass: SearchPass) -> (findings: [LeakFinding], onCycles: Set<UInt>) {
      let all = graph.cyclicComponents()
      switch pass {
      case .single:
        return (findings(all, includesUnreachable: !graph.isCut), addresses(all))
      case .first: return ([], addresses(all.filter(isExplained)))
      case .second(let known, let ignored):
        let again = all.filter { component in
          isExplained(component)
            && component.allSatisfy { known.contains(~graph.nodes[$0].address) }
        }
        let new = again.filter { component in
          !component.allSatisfy { ignored.contains(~graph.nodes[$0].address) }
        }
        return (findings(new, includesUnreachable: false), addresses(again))
      }
    }

    private func isExplained(_ component: [Int]) -> Bool {
      component.allSatisfy { graph.nodes[$0].type == nil || graph.isExplained($0) }
    }

    /// Returns the addresses of nodes with all bits inverted.
    private func addresses(_ components: [[Int]]) -> Set<UInt> {
      Set(components.lazy.flatMap { $0 }.map { ~graph.nodes[$0].address })
    }

    private func findings(_ components: [[Int]], includesUnreachable: Bool) -> [LeakFinding] {
      let cycles = components.map { links($0) }
      let sources = graph.sources(of: Set(cycles.flatMap { $0.map(\.edge.target) }))
      let areCertain = components.indices.map { index in
        let members = Set(components[index])
        return cycles[index].allSatisfy {
          isCertain($0, sources[$0.edge.target] ?? [], members)
        }
      }
      // Each node belongs to one mistake. First come the cycles that are certain, and what they
      // keep alive, then objects that nothing leads to. The other cycles can be only apparent: they
      // count if nothing else keeps their objects alive.
      var owned = [Bool](repeating: false, count: graph.nodes.count)
      for index in components.indices where areCertain[index] {
        for node in components[index] { owned[node] = true }
      }
      var mistakes: [Mistake] = []
      for index in components.indices where areCertain[index] {
        let held = spread(from: components[index], &owned)
        mistakes.append(Mistake(members: components[index], cycle: index, held: held))
      }
      for node in includesUnreachable ? graph.nodes.indices : 0..<0
      where !owned[node] && graph.nodes[node].incoming == 0 {
        owned[node] = true
        mistakes.append(Mistake(members: [node], cycle: nil, held: spread(from: [node], &owned)))
      }
      // A component comes after those that it leads to.
      for index in components.indices.reversed()
      where !areCertain[index] && !components[index].contains(where: { owned[$0] }) {
        for node in components[index] { owned[node] = true }
        let held = spread(from: components[index], &owned)
        mistakes.append(Mistake(members: components[index], cycle: index, held: held))
      }
      let codes = cycles.flatMap { $0.map(\.code).filter { $0 != 0 } }
      let destructors = mistakes.flatMap { $0.members + $0.held }.compactMap(destructor)
      _ = names.lookUp(
        stacks: [], functions: Array(Set(codes + destructors)), limit: limit)
      let functions = names.knownFunctions(at: Array(Set(codes + destructors)))
      var groups = FindingGroups()
      for mistake in mistakes {
        let finding =
          mistake.cycle.map { index in
            var steps = steps(cycles[index], functions)
            steps.isProbable = !areCertain[index]
            return cycle(components[index], mistake.held, steps, functions)
          } ?? unreachable(mistake.members[0], functions)
        guard let finding else { continue }
        groups.add(
          finding, members: mistake.members.map(item), held: mistake.held.map(item))
      }
      return groups.findings
    }

    /// Objects that leak because of one mistake.
    private struct Mistake {
      /// The objects on the cycle, or the object that nothing leads to.
      let members: [Int]
      /// The index of the component, or nil if there isn't a cycle.
      let cycle: Int?
      let held: [Int]
    }

    /// Returns the nodes to which some nodes lead and that have no owner yet, and makes them owned.
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

    /// Returns the shortest cycle of a component that goes through the user's objects.
    ///
    /// Where the objects are in memory changes from run to run. So that the finding doesn't,
    /// equally short cycles are compared by their fields.
    private func links(_ component: [Int]) -> [Link] {
      let members = Set(component)
      var starts = component.filter(isOfUser)
      if starts.isEmpty { starts = component.filter { graph.nodes[$0].type?.kind == .task } }
      let chosen = startsOfEachClass(starts)
      var best: [(node: Int, edge: UnreachableGraph.Edge)] = []
      var bestFields: [String] = []
      // An old word can look like a shorter cycle.
      for isCertain in [true, false] where best.isEmpty {
        for start in chosen {
          let cycle = graph.cycle(through: start, in: members) { source, edge in
            !isCertain || edge.isCertain || graph.isExplained(edge.target) || !isOfUser(source)
          }
          guard let cycle, best.isEmpty || cycle.count <= best.count else { continue }
          let fields = self.fields(cycle)
          if best.isEmpty || cycle.count < best.count
            || fields.lexicographicallyPrecedes(bestFields)
          {
            (best, bestFields) = (cycle, fields)
          }
        }
      }
      if best.isEmpty, let first = component.first {
        best = graph.cycle(through: first, in: members) { _, _ in true } ?? []
      }
      return best.indices.map { index in
        let previous = best[(index + best.count - 1) % best.count].edge
        return Link(node: best[index].node, edge: best[index].edge, code: previous.code)
      }
    }

    /// The maximum number of objects of one class, and of all classes, from which a shortest cycle
    /// is searched.
    private static let maxStarts = (ofClass: 4, all: 64)

    /// Returns some of the nodes, with nodes of as many classes as possible.
    private func startsOfEachClass(_ nodes: [Int]) -> [Int] {
      let sorted = nodes.sorted {
        (graph.edges(of: $0).count, graph.nodes[$0].incoming, graph.nodes[$0].address)
          < (graph.edges(of: $1).count, graph.nodes[$1].incoming, graph.nodes[$1].address)
      }
      let classes = Dictionary(grouping: sorted) { graph.nodes[$0].type?.fullName ?? "" }
        .sorted { $0.key < $1.key }
      return (0..<Self.maxStarts.ofClass).flatMap { index in
        classes.compactMap { index < $0.value.count ? $0.value[index] : nil }
      }
      .prefix(Self.maxStarts.all).map { $0 }
    }

    /// Returns the fields of a cycle, with the first one by name at the start.
    private func fields(_ cycle: [(node: Int, edge: UnreachableGraph.Edge)]) -> [String] {
      let fields = cycle.map { node, edge in
        "\(graph.nodes[node].type?.fullName ?? "") \(edge.offset)"
      }
      guard let first = fields.indices.min(by: { fields[$0] < fields[$1] }) else { return fields }
      return Array(fields[first...] + fields[..<first])
    }

    private func isOfUser(_ node: Int) -> Bool {
      guard let type = graph.nodes[node].type, type.kind == .instance else { return false }
      return !FrameworkModules.contain(type.module)
    }

    private struct Described {
      var steps: [Retention.Step] = []
      /// The node of each step.
      var nodes: [Int] = []
      var isProbable = false
      /// A Boolean value that indicates whether a step is the user's: code, or a field that isn't
      /// one of a test framework.
      var hasUserStep = false
    }

    /// The maximum number of links that are examined for the description of a step.
    private static let maxLinks = 64

    private func steps(_ links: [Link], _ functions: [UInt: CodeFunction]) -> Described {
      var described = Described()
      for index in links.indices {
        let link = links[index]
        let next = links[index...].prefix(Self.maxLinks)
        let rest = next + links[..<index].prefix(Self.maxLinks - next.count)
        if let function = functions[link.code], function.origin == .user, isSwift(function) {
          described.steps.append(closure(Array(rest), function))
          described.nodes.append(link.node)
          described.hasUserStep = true
        }
        let node = graph.nodes[link.node]
        switch node.type?.kind {
        case .instance where isOfUser(link.node):
          described.steps.append(field(Array(rest)))
          described.nodes.append(link.node)
          let type = graph.nodes[link.node].type
          let field = type.flatMap { UnreachableGraph.field(at: link.edge.offset, in: $0) }
          let module = field?.module ?? type?.module ?? ""
          if !FrameworkModules.containOfTests(module) { described.hasUserStep = true }
        case .task:
          let next = nextClass(Array(rest))
          let waits = next == nil && memory.waitsForContinuation(taskAt: node.address)
          described.steps.append(
            Retention.Step(.task(holds: next, waitsForContinuation: waits)))
          described.nodes.append(link.node)
          described.hasUserStep = true
        default: break
        }
      }
      return described
    }

    /// Returns whether a function can be the code of a closure. A function in C with its argument
    /// isn't a closure. A function without a symbol can be anything.
    private func isSwift(_ function: CodeFunction) -> Bool {
      function.location.source != nil
        || function.symbol.map { MangledName(symbol: $0) != nil } ?? true
    }

    /// Returns whether a reference on a cycle keeps its target alive.
    ///
    /// That is certain if the type says so, if the counts of the target say that all words with its
    /// address are references, or if only one object has such words. If only the cycle's component
    /// has such words, one of its members keeps the target alive. Then it is enough that the step
    /// isn't a field of the user's, which could be the wrong one.
    private func isCertain(_ link: Link, _ sources: Set<Int>, _ component: Set<Int>) -> Bool {
      let target = link.edge.target
      if link.edge.isCertain || graph.isExplained(target) || sources.count == 1 { return true }
      return !isOfUser(link.node) && sources.isSubset(of: component)
    }

    /// Returns the class of the next user's object after the first link.
    private func nextClass(_ links: [Link]) -> String? {
      links.dropFirst().first { isOfUser($0.node) }.flatMap { graph.nodes[$0.node].type?.name }
        ?? links.first { isOfUser($0.node) }.flatMap { graph.nodes[$0.node].type?.name }
    }

    private func closure(_ links: [Link], _ function: CodeFunction) -> Retention.Step {
      let name = function.location.function ?? ""
      let nested = FunctionNames.nestedFunction(name)
      let isMethod = FunctionNames.isMethodReference(name)
      let closure = Retention.Step.Closure(
        isMethod ? .methodReference : nested != nil ? .nestedFunction : .closure,
        function: nested
          ?? (function.location.source == nil ? FunctionNames.around(name) : nil),
        code: function.location.source == nil ? function.offset : nil,
        capture: capture(links, function))
      return Retention.Step(
        .closure(closure), site: function.location.source, column: function.location.column)
    }

    private func capture(_ links: [Link], _ function: CodeFunction) -> Retention.Step.Capture {
      let name = function.location.function ?? ""
      let node = graph.nodes[links[0].node]
      // A closure that captures only one object uses that object as its context.
      let isDirect = node.type?.kind != .closure
      let next = isDirect ? links[0] : links.count > 1 ? links[1] : links[0]
      var capture = Retention.Step.Capture(.unknown)
      let type = graph.nodes[next.node].type
      let parameter = isDirect ? function.parameters.last : nil
      // Another closure is captured.
      if !isDirect, links[0].edge.code != 0, type?.kind == .closure { return capture }
      switch type?.kind {
      case .instance?:
        capture.kind = parameter?.isVariable == true ? .variable : .object
        capture.type = type?.name
      case .box?, .closure?: capture.kind = .variable
      case .array?, .dictionary?, .set?: capture.kind = .collection
      case .errorBox?, .task?, nil: break
      }
      if capture.type == nil { capture.type = nextClass(links) }
      guard capture.kind == .object, let type = capture.type else { return capture }
      if let parameter, !parameter.name.isEmpty, !parameter.name.hasPrefix("$") {
        capture.name = parameter.name
      }
      let isMember = FunctionNames.isMember(name, of: type)
      if FunctionNames.isMethodReference(name) {
        capture.isSelf = isMember
        capture.name = nil
      } else {
        let names = function.parameters
        let mayBeSelf = names.isEmpty || names.contains { $0.name == "self" }
        capture.isSelf = capture.name.map { $0 == "self" } ?? (mayBeSelf && isMember)
      }
      return capture
    }

    private func field(_ links: [Link]) -> Retention.Step {
      let link = links[0]
      let type = graph.nodes[link.node].type
      let field = type.flatMap { UnreachableGraph.field(at: link.edge.offset, in: $0) }
      let target = graph.nodes[link.edge.target].type
      var content = Retention.Step.Field.Content.other(.unknown)
      var holding = Retention.Step.Field.Holding.other
      if link.edge.code != 0 {
        (content, holding) = (.other(.closure), .closure)
      } else if let target {
        switch target.kind {
        case .instance:
          content = .type(target.name)
          switch field?.form {
          case .reference: holding = field?.isOptional == true ? .optionalReference : .reference
          // A container of a protocol that only classes have is the object and its conformance.
          case .existential where (field?.size ?? 0) <= 16:
            holding = field?.isOptional == true ? .optionalReference : .reference
          default: holding = field?.isOptional == true ? .optional : .other
          }
        case .array, .dictionary, .set:
          content = nextClass(links).map { .type("[\($0)]") } ?? .other(.unknown)
          holding = .collection
        case .task: (content, holding) = (.other(.task), .other)
        case .closure, .box, .errorBox: content = .other(.box)
        }
      }
      let name = field?.name.replacingPrefix("$__lazy_storage_$_", with: "")
      return Retention.Step(
        .field(
          Retention.Step.Field(
            field?.owner ?? type?.name ?? "", name, content, holding)))
    }

    private func cycle(
      _ component: [Int], _ held: [Int], _ described: Described,
      _ functions: [UInt: CodeFunction]
    ) -> LeakFinding {
      let first = Self.firstStep(described.steps)
      let steps = Array(described.steps[first...] + described.steps[..<first])
      let nodes = Array(described.nodes[first...] + described.nodes[..<first])
      let index = Retention.stepToBreak(steps)
      let retention = Retention(
        kind: .cycle, isProbable: described.isProbable, steps: steps, breakIndex: index)
      // The object with the reference to break, or else the first one.
      let fields = steps.indices.filter { steps[$0].field != nil && isOfUser(nodes[$0]) }
      let subject =
        index.flatMap { fields.contains($0) ? nodes[$0] : nil } ?? fields.first.map { nodes[$0] }
        ?? component.first(where: isOfUser) ?? held.first(where: isOfUser) ?? component.first
      let type = subject.flatMap { graph.nodes[$0].type }
      let site =
        index.flatMap { steps[$0].site } ?? steps.lazy.compactMap(\.site).first
        ?? subject.flatMap { declaration($0, functions) }
      return LeakFinding(
        kind: .cycle,
        name: type.map(name) ?? component.lazy.compactMap { graph.nodes[$0].type?.name }.first
          ?? "", module: type?.module ?? "",
        retention: retention, count: 1, members: [], held: [], site: site,
        isOfUser: described.steps.isEmpty
          ? (component + held).contains(where: isOfUser) : described.hasUserStep)
    }

    /// Returns the index of the step with the first name, or 0. The order of objects in memory
    /// changes from run to run.
    private static func firstStep(_ steps: [Retention.Step]) -> Int {
      let names = steps.map { RetentionWords.name(of: $0) }
      return steps.indices.filter { steps[$0].field != nil }.min { names[$0] < names[$1] } ?? 0
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
        isOfUser: isOfUser(node))
    }

    // MARK: Declarations

    /// Returns the address of the function that deallocates the objects of a class. Its place in
    /// the source is that of the class or of its `deinit`.
    private func destructor(_ node: Int) -> UInt? {
      guard isOfUser(node), let metadata = memory.word(graph.nodes[node].address) else {
        return nil
      }
      return memory.word(metadata &- MetadataLayout.beforeDestroy)
    }

    private func declaration(_ node: Int, _ functions: [UInt: CodeFunction]) -> String? {
      destructor(node).flatMap { functions[$0]?.location.source }
    }
  }

  /// Findings with the same steps, put together.
  private struct FindingGroups {
    struct Item {
      /// The class, or nil for memory that isn't an object.
      let name: String?
      let bytes: Int
    }

    private struct Key: Hashable {
      let kind: LeakFinding.Kind
      let name: String
      let steps: [String]
    }

    private struct Group {
      var finding: LeakFinding
      var count = 0
      var members: [String: (count: Int, bytes: Int)] = [:]
      var held: [String: (count: Int, bytes: Int)] = [:]
    }

    private var order: [Key] = []
    private var groups: [Key: Group] = [:]

    mutating func add(_ finding: LeakFinding, members: [Item], held: [Item]) {
      let key = Key(
        kind: finding.kind, name: finding.name,
        steps: finding.retention.steps.map { "\(RetentionWords.name(of: $0)) \($0.site ?? "")" })
      if groups[key] == nil { order.append(key) }
      var group = groups[key] ?? Group(finding: finding)
      group.count += 1
      for item in members { Self.add(item, to: &group.members) }
      for item in held { Self.add(item, to: &group.held) }
      groups[key] = group
    }

    /// The name of memory that isn't an object, in a list of classes.
    static let memory = ""

    private static func add(_ item: Item, to list: inout [String: (count: Int, bytes: Int)]) {
      let entry = list[item.name ?? memory] ?? (0, 0)
      list[item.name ?? memory] = (entry.count + 1, entry.bytes + item.bytes)
    }

    private static func classes(
      _ list: [String: (count: Int, bytes: Int)]
    ) -> [LeakedObjects.Class] {
      list.map { LeakedObjects.Class(name: $0.key, count: $0.value.count, bytes: $0.value.bytes) }
        .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
    }

    /// The findings, those with the most bytes first.
    var findings: [LeakFinding] {
      order.compactMap { groups[$0] }.map { group in
        let finding = group.finding
        return LeakFinding(
          kind: finding.kind, name: finding.name, module: finding.module,
          retention: finding.retention, count: group.count,
          members: Self.classes(group.members), held: Self.classes(group.held),
          site: finding.site, isOfUser: finding.isOfUser)
      }
      .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
    }
  }

  extension String {
    fileprivate func replacingPrefix(_ prefix: String, with other: String) -> String {
      hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
  }
#endif
