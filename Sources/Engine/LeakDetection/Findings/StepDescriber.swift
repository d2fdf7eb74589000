#if os(Linux)
  import SystemLibrary
  import CodeLocations
  import ProcessMemory
  import SwiftRuntime
  import TraceFormat

  /// Describes the references on a cycle as steps.
  struct StepDescriber {
    typealias Link = UnreachableGraph.Link

    let graph: UnreachableGraph
    let memory: ProcessMemory
    /// The functions at the addresses of code.
    let functions: [UInt: CodeFunction]
    let waits: AwaitStacks

    /// The maximum number of links that are examined for the description of a step.
    private static let maxLinks = 64

    /// The steps of a cycle.
    struct Described {
      var steps: [Retention.Step] = []
      /// The node of each step.
      var nodes: [Int] = []
      /// A Boolean value that indicates whether a step is the user's: code, or a field that isn't
      /// one of a test framework.
      var hasUserStep = false
    }

    func steps(_ links: [Link]) -> Described {
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
        case .instance where graph.isOfUser(link.node):
          described.steps.append(field(Array(rest)))
          described.nodes.append(link.node)
          let type = graph.nodes[link.node].type
          let field = type.flatMap { UnreachableGraph.field(at: link.edge.offset, in: $0) }
          let module = field?.module ?? type?.module ?? ""
          if !FrameworkModules.containOfTests(module) { described.hasUserStep = true }
        case .task:
          let next = nextClass(Array(rest))
          let isWaiting = next == nil && memory.waitsForContinuation(taskAt: node.address)
          described.steps.append(
            Retention.Step(
              .task(holds: next, waitsForContinuation: isWaiting),
              site: waits.place(ofTask: link.node, functions)))
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

    /// Returns the class of the next user's object after the first link.
    private func nextClass(_ links: [Link]) -> String? {
      (links.dropFirst() + links.prefix(1)).first { graph.isOfUser($0.node) }
        .flatMap { graph.nodes[$0.node].type?.name }
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
  }

  extension String {
    fileprivate func replacingPrefix(_ prefix: String, with other: String) -> String {
      hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
  }
#endif
