#if os(Linux)
  import HeapGraph
  import SystemLibrary
  import CodeLocations
  import ProcessMemory
  import SwiftRuntime
  import TaskInspection
  import TraceFormat

  /// Describes the references on a cycle as steps.
  struct StepDescriber {
    typealias Link = UnreachableGraph.Link

    let graph: UnreachableGraph
    let memory: ProcessMemory
    /// The functions at the addresses of code.
    let functions: [UInt: CodeFunction]
    let owners: NodeOwners
    let waits: AwaitStacks
    let initializers: Initializers

    /// The maximum number of links that are examined for the description of a step.
    private static let maxLinks = 64

    /// The steps of a cycle.
    struct Described {
      var steps: [Retention.Step] = []
      /// The link of each step.
      var links: [Link] = []
      /// Whether each step is in the package of the program.
      var isOwn: [Bool] = []
      /// A Boolean value that indicates whether a step is the user's: code, or a field that isn't
      /// one of a test framework.
      var hasUserStep = false
    }

    /// Returns the steps of the program, and those of other packages unless a closure of the
    /// program is the one to change. Returns those of a dependency if there is nothing else.
    func steps(_ links: [Link]) -> Described {
      let codes = links.compactMap { codeOwner($0) }
      if codes.contains(.program) { return steps(links, upTo: .program) }
      let best = (links.compactMap { owners.ofNode($0.node) } + codes).min() ?? .program
      return steps(links, upTo: best.isEditable ? .otherPackage : .dependency)
    }

    private func codeOwner(_ link: Link) -> CodeOwner? {
      guard let function = functions[link.code], function.origin == .user, isSwift(function) else {
        return nil
      }
      return owners.ofCode(link.code)
    }

    private func steps(_ links: [Link], upTo last: CodeOwner) -> Described {
      var described = Described()
      func append(_ step: Retention.Step, _ link: Link, _ owner: CodeOwner) {
        described.steps.append(step)
        described.links.append(link)
        described.isOwn.append(owner == .program)
      }
      for index in links.indices {
        let link = links[index]
        let next = links[index...].prefix(Self.maxLinks)
        let rest = next + links[..<index].prefix(Self.maxLinks - next.count)
        if let function = functions[link.code], let owner = codeOwner(link), owner <= last {
          let capture = capture(Array(rest), function)
          append(Retention.Step(closure: function, capture: capture), link, owner)
          described.hasUserStep = true
        }
        let node = graph.nodes[link.node]
        switch node.type?.kind {
        case .instance:
          guard let owner = owners.ofNode(link.node), owner <= last,
            let step = field(Array(rest), owner)
          else { break }
          append(step, link, owner)
          let type = graph.nodes[link.node].type
          let field = type.flatMap { UnreachableGraph.field(at: link.edge.offset, in: $0) }
          let module = field?.module ?? type?.module ?? ""
          if !FrameworkModules.containOfTests(module) { described.hasUserStep = true }
        case .task:
          let next = nextClass(Array(rest))
          let isWaiting =
            (waits.showContinuation(ofTask: link.node, functions) ?? (next == nil))
            && memory.waitsForContinuation(taskAt: node.address)
          append(
            Retention.Step(
              .task(holds: next, waitsForContinuation: isWaiting),
              site: waits.place(ofTask: link.node, functions)),
            link, .program)
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

    /// Returns the class of the next user's object after the first link.
    private func nextClass(_ links: [Link]) -> String? {
      (links.dropFirst() + links.prefix(1)).first { graph.isOfUser($0.node) }
        .flatMap { graph.nodes[$0.node].type?.name }
    }

    private func capture(_ links: [Link], _ function: CodeFunction) -> Retention.Step.Capture {
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
      if capture.kind == .object, let name = parameter?.name, !name.isEmpty, !name.hasPrefix("$") {
        capture.name = name
      }
      capture.identifySelf(in: function)
      return capture
    }

    /// Returns the step of a property, or nil for the inner storage of a collection or a lock.
    private func field(_ links: [Link], _ owner: CodeOwner) -> Retention.Step? {
      let link = links[0]
      let type = graph.nodes[link.node].type
      let field = type.flatMap { UnreachableGraph.field(at: link.edge.offset, in: $0) }
      let isLazy = field?.name.hasPrefix(Self.lazy) == true
      if field == nil && graph.isStorage(link.node) || field?.module == "Swift" { return nil }
      let target = graph.nodes[link.edge.target].type
      let isOfLibrary = owners.ofNode(link.edge.target)?.isEditable != true
      var content = Retention.Step.Field.Content.other(.unknown)
      var holding = Retention.Step.Field.Holding.other
      if link.edge.code != 0 {
        (content, holding) = (.other(.closure), .closure)
      } else if let target {
        switch target.kind {
        case .instance:
          content = .type(target.name)
          switch field?.form {
          case _ where isOfLibrary && RetentionWords.verb(forEnding: target.name) != nil:
            holding = .resource
          case _ where isLazy: holding = .owner
          // A container of a protocol that only classes have is the object and its conformance.
          case .reference,
            .existential where (field?.size ?? 0) <= 16:
            holding = field?.isOptional == true ? .optionalReference : .reference
            if holding == .reference, field?.owner == type?.name,
              initializers.takeNoObjects(link.node)
            {
              holding = .owner
            }
            if isOfLibrary || graph.isStorage(link.edge.target) {
              holding = field?.isOptional == true ? .optional : .owner
            }
          default: holding = field?.isOptional == true ? .optional : .other
          }
        case .array, .dictionary, .set:
          content = nextClass(links).map { .type("[\($0)]") } ?? .other(.unknown)
          holding = .collection
        case .task: (content, holding) = (.other(.task), .other)
        case .closure, .box, .errorBox: content = .other(.box)
        }
      }
      var name = field.map { isLazy ? String($0.name.dropFirst(Self.lazy.count)) : $0.name }
      // A structure can't be weak, but its property can. The value of a wrapped property, whose
      // name begins with an underscore, is a part of its wrapper.
      if [.reference, .optionalReference].contains(holding), let path = field?.path,
        let whole = name, !whole.hasPrefix("_")
      {
        name = "\(whole).\(path)"
      }
      return Retention.Step(
        .field(
          Retention.Step.Field(
            field?.owner ?? type?.name ?? "", name, content, holding,
            library: owner.isEditable ? nil : type?.module)))
    }

    private static let lazy = "$__lazy_storage_$_"
  }
#endif
