import ReactiveKit
import TraceFormat

/// Puts the answers of an explainer into words that a user recognizes.
///
/// Objects of the library and of the standard library are not steps of their own. A bag, the array
/// in it, the chain, the subject and the observers between them are one step: the subscription. A
/// step of a user's object names the field that leads on.
struct PathWords {
  /// An object on a path with the code through which it was reached, if it is the context of a
  /// closure, and its reference to the next one.
  private struct Node {
    let object: Heap.Object
    let code: UInt
    let reference: Reference?
  }

  private let explainer: Explainer
  private let locations: ObservationLocations
  private let functions: [UInt: CodeFunction]
  private let variables: [UInt: VariableNames.Variable]
  private var heap: Heap { explainer.heap }

  /// Looks up all names that the answers need, at once.
  init(
    _ explainer: Explainer, _ answers: [Explainer.Answer], _ locations: ObservationLocations
  ) {
    self.explainer = explainer
    self.locations = locations
    var codes: Set<UInt> = []
    var addresses: [UInt] = []
    for answer in answers {
      for step in answer.steps where step.reference.code != 0 { codes.insert(step.reference.code) }
      if answer.startCode != 0 { codes.insert(answer.startCode) }
      switch answer.kind {
      case .path(.variable(let address)): addresses.append(address)
      case .path(.task(let task)):
        codes.formUnion(TaskState(task, explainer.heap).code)
      default: break
      }
      for step in answer.steps where step.object.kind == .task {
        codes.formUnion(TaskState(step.object, explainer.heap).code)
      }
    }
    functions = locations.functions(at: codes.filter(explainer.heap.isCode).sorted())
    variables = VariableNames(explainer.heap.map).variables(at: addresses) {
      explainer.isInTime
    }
  }

  /// Reports whether a cycle is only of objects of the library. The library holds what waits for the
  /// end of a binding's target like that, for one, until the target is deallocated. So the cycle
  /// isn't why the subscription is alive.
  func isOnlyOfLibrary(_ answer: Explainer.Answer) -> Bool {
    guard case .cycle(let tail) = answer.kind else { return false }
    let cycle = Array(answer.steps.dropLast(tail))
    let first = tail > 0 ? cycle.last?.reference.code ?? 0 : answer.startCode
    let codes = [first] + cycle.map(\.reference.code)
    let mayBeOfUser = codes.contains { code in
      functions[code].map { $0.origin == .user } ?? heap.isCode(code)
    }
    return !mayBeOfUser && steps(nodes(cycle, first: first)).allSatisfy { !$0.isOfUser }
  }

  /// Puts the answer for a subscription into words.
  func explanation(
    _ answer: Explainer.Answer, of subscription: TracedSubscription
  ) -> Trace.Explanation {
    let target = finalStep(subscription)
    switch answer.kind {
    case .cycle(let tail):
      let count = answer.steps.count - tail
      let first = tail > 0 ? answer.steps[count - 1].reference.code : answer.startCode
      let links = nodes(Array(answer.steps[..<count]), first: first)
      var cycle = steps(links)
      if !cycle.contains(where: \.isOfUser) { cycle = steps(links, unknownCode: true) }
      if tail == 0 {
        // The search may have met the chain of the subscription at the start.
        cycle.removeAll { $0.step == target.step }
        cycle.append(target)
      } else if cycle.isEmpty {
        cycle.append(target)
      }
      // The step to break comes first.
      if let first = cycle.firstIndex(where: \.isClosure), first > 0, tail > 0 {
        cycle = Array(cycle[first...] + cycle[..<first])
      }
      var rest = tail > 0 ? steps(nodes(Array(answer.steps[count...]), first: 0)) : []
      if tail > 0 { rest.append(target) }
      let advice = CycleAdvice(cycle, rest: rest)
      return Trace.Explanation(
        kind: .cycle, isProbable: answer.isProbable, steps: (cycle + rest).map(\.step),
        tail: rest.count, breakIndex: advice?.index, advice: advice?.sentence,
        holder: holder(answer, cycle + rest))
    case .path(let root):
      // A Task is itself the first object of the path.
      let isNamed = answer.steps.first?.object.kind == .task
      // The search may have met the chain of the subscription on the way to its source.
      let middle = steps(nodes(answer.steps, first: 0)).filter { $0.step != target.step }
      let isOfThread =
        middle.first?.step.what == SystemWords.threadDictionary && isOfSystem(root)
      let first = isNamed || isOfThread ? nil : rootStep(root)
      let all = [first].compactMap(\.self) + middle + [target]
      return Trace.Explanation(
        kind: .path, isProbable: answer.isProbable || isDoubtful(root), steps: all.map(\.step),
        advice: advice(answer, root, all), holder: holder(answer, all, root),
        note: first == nil && !isNamed && !isOfThread ? note(answer) : nil)
    case .nothing:
      return Trace.Explanation(
        kind: .none, holder: answer.hasOwner == false ? Self.discarded : nil, note: note(answer))
    }
  }

  private static let discarded = "Nobody can dispose it: the disposable was discarded."

  private func finalStep(_ subscription: TracedSubscription) -> NamedStep {
    NamedStep(
      step: Trace.Explanation.Step(
        what: "subscription of \(laneName(of: subscription))", detail: "#\(subscription.id)",
        source: nil),
      kind: .subscription)
  }

  /// Returns the lane of a subscription. Without a lane, returns the file and line that observe.
  private func laneName(of subscription: TracedSubscription) -> String {
    let site = subscription.site
    guard site.operator == .observe, let place = site.place,
      let location = locations.nameOrOffset(of: place)
    else { return site.lane }
    let file = location.source?.split(separator: "/").last.map(String.init)
    return file ?? location.function ?? site.lane
  }

  private func nodes(_ steps: [PathStep], first: UInt) -> [Node] {
    var nodes: [Node] = []
    var incoming = Reference(target: steps.first?.object.address ?? 0, code: first)
    for step in steps {
      let code = incoming.target == step.object.address ? incoming.code : 0
      nodes.append(Node(object: step.object, code: code, reference: step.reference))
      incoming = step.reference
    }
    return nodes
  }

  // MARK: Steps

  /// Returns the steps that a user recognizes.
  ///
  /// - Parameter unknownCode: Whether to name closures without a symbol that capture no object of the
  ///   user. Most of them belong to a library.
  private func steps(_ nodes: [Node], unknownCode: Bool = false) -> [NamedStep] {
    var named: [NamedStep] = []
    for (index, node) in nodes.enumerated() {
      if node.code != 0, let step = closureStep(node, nodes[index...], unknownCode) {
        named.append(step)
      }
      if node.object.kind == .task {
        named.append(taskStep(node.object, nodes[index...]))
      } else if explainer.graph.isOfUser(node.object) {
        named.append(fieldStep(node, nodes[index...]))
      } else if let subscription = explainer.subscriptions[node.object.address],
        index < nodes.count - 1
      {
        named.append(finalStep(subscription))
      } else if SystemWords.isDictionary(
        of: node.object, next: nodes[(index + 1)...].first?.object, heap)
      {
        named.append(
          NamedStep(
            step: Trace.Explanation.Step(
              what: SystemWords.threadDictionary, detail: "of a thread that has not ended",
              source: nil),
            kind: .root))
      }
    }
    return named
  }

  /// Returns the step of a closure of the user, or of the closure that the library makes for `assign`.
  private func closureStep(
    _ node: Node, _ rest: ArraySlice<Node>, _ unknownCode: Bool
  ) -> NamedStep? {
    guard let function = functions[node.code] else { return nil }
    let name = function.location.function ?? ""
    guard function.origin == .user else { return assignStep(name, node, rest) }
    let capture = capture(node, rest, function)
    let source = function.location.source
    let what: String
    if let file = source?.split(separator: "/").last {
      what = (capture.isMethod ? "method reference at " : "closure at ") + file
    } else if let offset = function.offset {
      guard capture.holdsObject || unknownCode else { return nil }
      what = "a closure in \(offset)"
    } else {
      what = Self.placeless(name)
    }
    return NamedStep(
      step: Trace.Explanation.Step(what: what, detail: capture.words, source: source),
      kind: .closure(capture))
  }

  private static let assignment = "assign(to:on:)"

  /// Returns the step of `assign`, which holds the object that it writes to.
  private func assignStep(_ name: String, _ node: Node, _ rest: ArraySlice<Node>) -> NamedStep? {
    guard name.hasPrefix("closure"), name.contains("assign"), name.hasSuffix("(to:on:)"),
      let captured = capturedObject(node, rest)
    else { return nil }
    return NamedStep(
      step: Trace.Explanation.Step(
        what: Self.assignment, detail: "holds \(captured) strongly", source: nil),
      kind: .assignment)
  }

  // MARK: Captured values

  /// Returns what a closure captures that leads to the next step.
  private func capture(
    _ node: Node, _ rest: ArraySlice<Node>, _ function: CodeFunction
  ) -> ClosureCapture {
    let name = function.location.function ?? ""
    var capture = ClosureCapture(way: .nextStep)
    capture.isMethod = name.hasPrefix("implicit closure")
    capture.nestedFunction = Self.nestedFunction(name)
    let captured = captured(node, function)
    guard let type = capturedObject(node, rest) else {
      let box = rest.dropFirst().first.flatMap { isVariable($0) ? $0 : nil }
      if box != nil || captured?.isVariable == true { capture.way = .variable }
      capture.holdsItself = box?.reference?.target == node.object.address
      capture.name = captured?.name
      return capture
    }
    capture.type = type
    capture.name = captured?.name
    // A closure with one captured object has that object for its context.
    let isDirect = node.object.kind != .closure
    let next = rest.dropFirst().first
    if isDirect || next?.object.kind == .instance {
      capture.way = isDirect ? .object : way(of: node)
      // A closure with one captured variable has the box of that variable for its context.
      if case .object = capture.way, captured?.isVariable == true { capture.way = .variable }
    } else if let next, isVariable(next) {
      capture.way = .variable
    } else {
      capture.way = .collection
    }
    if case .object = capture.way, capture.name == "self", !Self.isMember(name, of: type),
      let value = Self.valueType(around: function.location)
    {
      capture.way = .value(value)
    }
    if case .object = capture.way {
      let names = function.parameters
      let mayBeSelf = names.isEmpty || names.contains { $0.name == "self" }
      capture.isSelf =
        capture.name.map { $0 == "self" }
        ?? (mayBeSelf && Self.isMember(name, of: type) && !hasWeakCapture(node.object, of: type))
    }
    return capture
  }

  /// Reports whether a step is the box of a captured variable. The context of a closure is reached
  /// together with its code.
  private func isVariable(_ node: Node) -> Bool {
    switch node.object.kind {
    case .box: true
    case .closure: node.code == 0 || !heap.isCode(node.code)
    default: false
    }
  }

  /// Returns the index of the captured value through which a closure holds the next step.
  private func captureIndex(_ node: Node) -> (index: Int, layout: ClosureLayout)? {
    guard node.object.kind == .closure, let target = node.reference?.target,
      let layout = heap.closureLayout(node.object)
    else { return nil }
    let index = layout.captures.firstIndex { capture in
      if case .notStrong = capture.holds { return false }
      var reader = ReferenceReader(heap, named: false)
      reader.readValue(
        capture.type, at: node.object.address &+ UInt(capture.offset), name: "")
      return reader.references.contains { $0.target == target }
    }
    return index.map { ($0, layout) }
  }

  /// Returns whether a captured value is an object, or a value that contains one.
  private func way(of node: Node) -> ClosureCapture.Way {
    guard let (index, layout) = captureIndex(node) else { return .object }
    let type = layout.captures[index].type
    switch type.shape {
    case .fields: return .value(type.name)
    case .cases:
      // An optional object is still the object.
      return type.size == 8 ? .object : .value(type.name)
    default: return .object
    }
  }

  /// Returns the captured value through which a closure holds the next step, as the source has it,
  /// or nil if the debug information doesn't have it.
  private func captured(_ node: Node, _ function: CodeFunction) -> CodeFunction.Parameter? {
    let all = function.parameters
    let parameter: CodeFunction.Parameter?
    if node.object.kind != .closure {
      // The only captured value is the last parameter.
      parameter = all.last
    } else if let (index, layout) = captureIndex(node), all.count >= layout.captures.count {
      parameter = all[all.count - layout.captures.count + index]
    } else {
      parameter = nil
    }
    return parameter.flatMap { $0.name.isEmpty || $0.name.hasPrefix("$") ? nil : $0 }
  }

  /// Returns the name of a function inside another one that is used as a closure: `update` for
  /// `update #1 (_:) in Screen.open()`.
  static func nestedFunction(_ function: String) -> String? {
    let words = function.split(separator: " ")
    guard words.count > 2, words[1].hasPrefix("#"), words[0] != "closure", words.contains("in")
    else { return nil }
    return String(words[0].prefix { $0 != "(" })
  }

  /// Returns the structure or enumeration with the method that contains a closure, if it is one that
  /// the runtime finds by name. Its `self` is a value.
  static func valueType(around location: CodeLocation) -> String? {
    guard let function = location.function,
      let module = location.source?.split(separator: "/").first
    else { return nil }
    let method = function.split(separator: " ").last { $0.contains(".") } ?? ""
    let path = method.prefix { $0 != "(" }.split(separator: ".").dropLast()
    guard path.count == 1, let type = path.first else { return nil }
    let mangled = [module, type].map { "\($0.utf8.count)\($0)" }.joined()
    return ["V", "O"].contains { _typeByName(mangled + $0) != nil } ? String(type) : nil
  }

  /// Reports whether a closure captures an object of a class weakly. If so, that is most likely `self`.
  private func hasWeakCapture(_ closure: Heap.Object, of type: String) -> Bool {
    guard closure.kind == .closure, let layout = heap.closureLayout(closure) else { return false }
    return layout.captures.contains { capture in
      guard capture.type.size == 8,
        let word = heap.memory.word(closure.address &+ UInt(capture.offset))
      else { return false }
      if case .notStrong = capture.holds { return isWeak(word, type) }
      // A captured weak variable is in a box of its own.
      guard let box = heap.object(at: word), box.kind == .closure,
        let inner = heap.closureLayout(box)?.captures.first, case .notStrong = inner.holds,
        let weak = heap.memory.word(box.address &+ UInt(inner.offset))
      else { return false }
      return isWeak(weak, type)
    }
  }

  /// Reports whether a weak or unowned reference may be to an object of a class. The object may be gone.
  /// A weak reference is the address of a table that begins with the address of the object.
  private func isWeak(_ word: UInt, _ type: String) -> Bool {
    let object =
      heap.object(at: word) ?? heap.memory.word(word & ~7).flatMap { heap.object(at: $0) }
    return object.map { heap.className($0) == type } ?? true
  }

  /// Reports whether the function of a closure is a method of a type, so that the object of that type
  /// is most likely `self`.
  static func isMember(_ function: String, of type: String) -> Bool {
    guard !function.split(separator: " ").contains("static") else { return false }
    let type = type.prefix { $0 != "<" }
    return function.split(separator: " ").contains { word in
      var path = word.prefix { $0 != "(" }.split(separator: ".").map { $0.prefix { $0 != "<" } }
      if let last = path.last, accessors.contains(last) { path.removeLast() }
      return path.dropLast().last == type
    }
  }

  private static let accessors: Set<Substring> = [
    "getter", "setter", "modify", "read", "willset", "didset",
  ]

  /// Returns words for a closure whose line is not known: the function around it, without the
  /// closures in between. A method that is used as a closure is an implicit closure.
  static func placeless(_ name: String) -> String {
    let parts = name.split(separator: " ")
    let outermost = parts.lastIndex(of: "in").map { parts[($0 + 1)...] } ?? parts[...]
    let function = outermost.joined(separator: " ")
    let path = function.prefix { $0 != "(" }
    guard name.hasPrefix("implicit closure") else { return "closure in \(path)" }
    let method = path.split(separator: ".").last ?? path
    return "method reference in \(method)\(function.dropFirst(path.count))"
  }

  /// Returns the class of the object that a closure holds, through variables and arrays if need be.
  private func capturedObject(_ node: Node, _ rest: ArraySlice<Node>) -> String? {
    // A closure with one captured object has that object for its context.
    if node.object.kind != .closure {
      return node.object.kind == .instance ? heap.className(node.object) : nil
    }
    for next in rest.dropFirst() {
      // The object is the context of another closure. A word that was taken for its code may be none.
      if next.code != 0, heap.isCode(next.code) { return nil }
      switch next.object.kind {
      case .instance:
        return heap.className(next.object)
      case .closure: return nil
      default: continue
      }
    }
    return nil
  }

  private func fieldStep(_ node: Node, _ rest: ArraySlice<Node>) -> NamedStep {
    let type = heap.className(node.object) ?? "object"
    let target = node.reference?.target ?? 0
    let named = explainer.graph.references(from: node.object, named: true)
    let path = named.first { $0.target == target }?.name ?? ""
    let field = SourceField(path, of: node.object, heap)
    // The macro for observable classes adds a field.
    let isRegistrar = SystemWords.isRegistrar(path)
    let what = field.name.isEmpty || isRegistrar ? type : "\(type).\(field.name)"
    let isClosure = node.reference.map { $0.code != 0 && heap.isCode($0.code) } ?? false
    let detail =
      isClosure
      ? "closure"
      : isRegistrar
        ? SystemWords.registrar
        : field.collection ?? heap.object(at: target).map { describe($0, rest.dropFirst()) } ?? ""
    return NamedStep(
      step: Trace.Explanation.Step(what: what, detail: detail, source: nil),
      kind: .field(owner: type, isClosure ? .closure : field.holding(heap.object(at: target), heap))
    )
  }

  /// Returns the type of an object as a user would write it.
  private func describe(_ object: Heap.Object, _ rest: ArraySlice<Node>) -> String {
    func argument(_ index: Int) -> String {
      heap.types.argument(index, ofClass: object.metadata)?.name ?? "?"
    }
    switch object.kind {
    case .array: return "[\(argument(0))]"
    case .dictionary: return "[\(argument(0)): \(argument(1))]"
    case .set: return "Set<\(argument(0))>"
    // The code of a closure stands beside its context. Here, there is none.
    case .box, .errorBox, .closure: return "boxed value"
    case .task: return "Task"
    case .block: return "block"
    case .dispatch: return "object of libdispatch"
    case .instance:
      switch explainer.graph.role(of: object) {
      case .chain: return "Disposable"
      default: return heap.className(object) ?? ""
      }
    }
  }

  /// Returns the step of a Task. It names the innermost line of the user's code that awaits.
  private func taskStep(_ task: Heap.Object, _ rest: ArraySlice<Node>) -> NamedStep {
    let location = ownFrame(of: task)?.location
    let file = location?.source?.split(separator: "/").last
    let next = rest.dropFirst().first { explainer.graph.isOfUser($0.object) }
      .flatMap { heap.className($0.object) }
    let isContinuation = waitsForContinuation(task)
    let end = isContinuation ? "waits for a continuation" : "has not ended"
    return NamedStep(
      step: Trace.Explanation.Step(
        what: "Task" + (file.map { " at \($0)" } ?? ""),
        detail: next.map { "holds \($0), and \(end)" } ?? end, source: location?.source),
      kind: .task(waitsForContinuation: isContinuation))
  }

  /// Returns the innermost function of a Task that is in the user's code.
  private func ownFrame(of task: Heap.Object) -> CodeFunction? {
    TaskState(task, heap).code.lazy.compactMap { functions[$0] }
      .first { $0.origin == .user && $0.location.source != nil }
  }

  /// Reports whether the user's code waits for a continuation. A stream waits for one of its own.
  private func waitsForContinuation(_ task: Heap.Object) -> Bool {
    let state = TaskState(task, heap)
    guard state.waitsForContinuation else { return false }
    let frames = state.code.map { functions[$0] }
    let inner = frames.prefix { $0?.location.source == nil }
    return inner.count < frames.count && frames[inner.count]?.origin == .user
      && inner.allSatisfy { frame in
        let name = frame?.location.function ?? ""
        return ["withChecked", "withUnsafe"].contains { name.hasPrefix($0) }
          && name.contains("Continuation")
      }
  }

  private func rootStep(_ root: HolderSearch.Root) -> NamedStep? {
    let what: String
    var detail = ""
    let source: String? = nil
    switch root {
    case .variable(let address):
      guard let variable = variables[address] else {
        what = "a global or static variable"
        break
      }
      if let known = SystemWords.name(of: variable) {
        what = known
      } else if let library = variable.library.flatMap(Self.systemLibrary) {
        // Its name is none that a user has seen.
        (what, detail) = ("a variable of \(library)", variable.name)
      } else {
        what = variable.isStatic ? "static \(variable.name)" : "global \(variable.name)"
        detail = variable.library.map { "of \($0)" } ?? ""
      }
    case .stack:
      what = "a local variable"
      detail = "of a function that has not returned"
    case .task(let task):
      return taskStep(task, [])
    case .waiting(let object):
      let words = WaitingWords(object, heap)
      (what, detail) = (words.what, words.detail)
    case .thread:
      what = "a value of a thread"
      detail = "that has not ended"
    case .nothing: return nil
    }
    return NamedStep(
      step: Trace.Explanation.Step(what: what, detail: detail, source: source), kind: .root)
  }

  /// Returns the name of a library of the system without its file: `Foundation`.
  private static func systemLibrary(_ file: String) -> String? {
    let name = file.prefix { $0 != "." }
    if name.hasPrefix("libFoundation") || name.hasPrefix("lib_Foundation") { return "Foundation" }
    if name == "libdispatch" { return "Dispatch" }
    if name == "libswiftCore" { return "the Swift standard library" }
    if name.hasPrefix("libswift") { return String(name.dropFirst(8).drop { $0 == "_" }) }
    return ["libc", "libm", "libstdc++", "libpthread"].contains(name) ? "the C library" : nil
  }

  /// Reports whether a root is a variable with more than references. What is left of another address
  /// in its padding, or in an optional that is nil, looks like a reference.
  private func isDoubtful(_ root: HolderSearch.Root) -> Bool {
    if case .variable(let address) = root {
      variables[address]?.mayHavePadding ?? false
    } else {
      false
    }
  }

  /// Reports whether a root is a variable of a library, or belongs to a thread.
  private func isOfSystem(_ root: HolderSearch.Root) -> Bool {
    switch root {
    case .variable(let address): variables[address].map(SystemWords.isOfSystem) ?? false
    case .thread: true
    default: false
    }
  }

  // MARK: Sentences

  private func advice(
    _ answer: Explainer.Answer, _ root: HolderSearch.Root, _ steps: [NamedStep]
  ) -> String? {
    let capturesSelf = steps.last(where: \.isClosure)?.capturesSelf ?? false
    let place = steps.first?.step.what ?? "there"
    if let first = steps.first,
      let advice = SystemWords.advice(for: first.step.what, capturesSelf: capturesSelf)
    {
      return advice
    }
    return switch root {
    case .variable where answer.hasOwner == false:
      "Keep the disposable, as in .dispose(in: bag), or declare lifetime: .process."
    case .variable where capturesSelf:
      "Capture self weakly: [weak self], or remove the closure from \(place)."
    case .variable:
      "Dispose the subscription, or remove what holds it from \(place)."
    case .task(let task):
      waitsForContinuation(task)
        ? CycleAdvice.resume : "Cancel the Task when its owner is no longer needed."
    case .waiting(let object):
      WaitingWords(object, heap).advice(capturesSelf: capturesSelf)
    case .thread: "Remove the value from its thread when it is no longer needed."
    case .stack: "Dispose the subscription before the function goes on."
    case .nothing: nil
    }
  }

  /// Says who can dispose the subscription.
  private func holder(
    _ answer: Explainer.Answer, _ steps: [NamedStep], _ root: HolderSearch.Root? = nil
  ) -> String? {
    if answer.hasOwner == false { return Self.discarded }
    if case .task? = root { return "Its Task has not ended." }
    if answer.steps.contains(where: { $0.object.kind == .task }) {
      return "Its Task has not ended."
    }
    let names = answer.steps.compactMap { heap.className($0.object) }
    guard let kind = names.reversed().lazy.compactMap({ Self.containers[$0] }).first else {
      return nil
    }
    if let owner = steps.last(where: \.isField) {
      return "It is in \(kind), \(owner.step.what), and \(owner.fieldOwner) is still alive."
    }
    guard let first = steps.first, steps.count > 1 else { return nil }
    return "It is in \(kind), held by \(first.step.what)."
  }

  /// The objects that users keep disposables in.
  private static let containers = [
    "DisposeBag": "a bag", "AnyCancellable": "an AnyCancellable",
    "SerialDisposable": "a SerialDisposable", "CompositeDisposable": "a CompositeDisposable",
    "DeinitDisposable": "a DeinitDisposable",
  ]

  private func note(_ answer: Explainer.Answer) -> String {
    let size = (answer.searchedBytes + (1 << 20) - 1) >> 20
    return "No holder was found among \(size) MB of memory, which is no proof that there is none."
  }
}
