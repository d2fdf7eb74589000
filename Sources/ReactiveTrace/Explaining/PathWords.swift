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
  private let functions: [UInt: CodeFunction]
  private let variables: [UInt: VariableNames.Variable]
  private var heap: Heap { explainer.heap }

  /// Looks up all names that the answers need, at once.
  init(
    _ explainer: Explainer, _ answers: [Explainer.Answer], _ locations: ObservationLocations
  ) {
    self.explainer = explainer
    var codes: Set<UInt> = []
    var addresses: [UInt] = []
    for answer in answers {
      for step in answer.steps where step.reference.code != 0 { codes.insert(step.reference.code) }
      if answer.startCode != 0 { codes.insert(answer.startCode) }
      switch answer.kind {
      case .path(.variable(let address)): addresses.append(address)
      case .path(.task(let task)):
        if let code = Self.code(of: task, explainer) { codes.insert(code) }
      default: break
      }
      for step in answer.steps where step.object.kind == .task {
        if let code = Self.code(of: step.object, explainer) { codes.insert(code) }
      }
    }
    functions = locations.functions(at: codes.filter(explainer.heap.isCode).sorted())
    variables = VariableNames(explainer.heap.map).variables(at: addresses) {
      explainer.isInTime
    }
  }

  /// Returns the code with which a Task goes on. It stands behind the header, the two words of the
  /// scheduler, the flags and a reserved word (`swift/ABI/Task.h`).
  private static func code(of task: Heap.Object, _ explainer: Explainer) -> UInt? {
    explainer.heap.memory.word(task.address &+ 48)
  }

  /// Reports whether a cycle is only of objects of the library. The library holds what waits for the
  /// end of a binding's target like that, for one, until the target is gone. So the cycle is not why
  /// the subscription is alive.
  func isOnlyOfLibrary(_ answer: Explainer.Answer) -> Bool {
    guard case .cycle(tail: 0) = answer.kind else { return false }
    let codes = [answer.startCode] + answer.steps.map(\.reference.code)
    let mayBeOfUser = codes.contains { code in
      functions[code].map { $0.origin == .user } ?? heap.isCode(code)
    }
    let steps = steps(nodes(answer.steps, first: answer.startCode))
    return !mayBeOfUser && steps.allSatisfy { !$0.object && !$0.closure }
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
      var cycle = steps(nodes(Array(answer.steps[..<count]), first: first))
      if tail == 0 {
        // The search may have met the chain of the subscription at the start.
        cycle.removeAll { $0.step == target.step }
        cycle.append(target)
      } else if cycle.isEmpty {
        cycle.append(Named(step: target.step, closure: false, object: false))
      }
      // The step to break comes first.
      if let first = cycle.firstIndex(where: \.closure), first > 0, tail > 0 {
        cycle = Array(cycle[first...] + cycle[..<first])
      }
      var rest = tail > 0 ? steps(nodes(Array(answer.steps[count...]), first: 0)) : []
      if tail > 0 { rest.append(target) }
      let breakIndex = Self.stepToBreak(cycle)
      return Trace.Explanation(
        kind: .cycle, isProbable: answer.isProbable, steps: (cycle + rest).map(\.step),
        tail: rest.count, breakIndex: breakIndex, advice: advice(cycle, breakIndex),
        holder: holder(answer, cycle + rest))
    case .path(let root):
      // A Task is itself the first object of the path.
      let isNamed = answer.steps.first?.object.kind == .task
      let first = isNamed ? nil : rootStep(root)
      let middle = steps(nodes(answer.steps, first: 0))
      let all = [first].compactMap(\.self) + middle + [target]
      return Trace.Explanation(
        kind: .path, isProbable: answer.isProbable, steps: all.map(\.step),
        advice: advice(answer, root, all), holder: holder(answer, all, root),
        note: first == nil && !isNamed ? note(answer) : nil)
    case .nothing:
      return Trace.Explanation(
        kind: .none, holder: answer.hasOwner == false ? Self.discarded : nil, note: note(answer))
    }
  }

  /// Returns the index of the step to break: a closure, else a reference back to an owner, which
  /// has a telling name or leads back to the start of the cycle.
  private static func stepToBreak(_ cycle: [Named]) -> Int? {
    // A closure that holds another one can do nothing about what that one holds.
    let closures = cycle.indices.filter { cycle[$0].closure }
    if let closure = closures.first(where: { !closures.contains($0 + 1) }) { return closure }
    let names = ["delegate", "parent", "owner", "superview", "controller", "datasource", "target"]
    let back = cycle.lastIndex { step in
      guard step.object, let field = step.step.what.split(separator: ".").last else { return false }
      return names.contains { field.lowercased().hasSuffix($0) }
    }
    return back ?? cycle.lastIndex(where: \.object)
  }

  private static let discarded = "Nobody can dispose it: the disposable was discarded."

  /// A step, and what it is.
  private struct Named {
    let step: Trace.Explanation.Step
    /// A Boolean value that indicates whether it is a closure of the user.
    let closure: Bool
    /// A Boolean value that indicates whether it is a field of an object of the user.
    let object: Bool
    var type: String = ""
  }

  private func finalStep(_ subscription: TracedSubscription) -> Named {
    Named(
      step: Trace.Explanation.Step(
        what: "subscription of \(subscription.site.lane)", detail: "#\(subscription.id)",
        source: nil),
      closure: false, object: false)
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

  private func steps(_ nodes: [Node]) -> [Named] {
    var named: [Named] = []
    for (index, node) in nodes.enumerated() {
      if node.code != 0, let step = closureStep(node, nodes[index...]) { named.append(step) }
      if node.object.kind == .task {
        named.append(taskStep(node.object, nodes[index...]))
      } else if explainer.graph.isOfUser(node.object) {
        named.append(fieldStep(node, nodes[index...]))
      } else if let subscription = explainer.subscriptions[node.object.address],
        index < nodes.count - 1
      {
        named.append(finalStep(subscription))
      }
    }
    return named
  }

  /// Returns the step of a closure of the user, or of the closure that the library makes for `assign`.
  private func closureStep(_ node: Node, _ rest: ArraySlice<Node>) -> Named? {
    guard let function = functions[node.code] else { return nil }
    let name = function.location.function ?? ""
    guard function.origin == .user else { return assignStep(name, node, rest) }
    let source = function.location.source
    let captured = capturedObject(node, rest)
    let what: String
    if let file = source?.split(separator: "/").last {
      what = "closure at \(file)"
    } else {
      what = Self.placeless(name)
    }
    let detail =
      captured.map { type in
        Self.isMember(name, of: type) && !hasWeakCapture(node.object, of: type)
          ? "captures self strongly" : "captures \(type) strongly"
      } ?? "captures the next step"
    return Named(
      step: Trace.Explanation.Step(what: what, detail: detail, source: source), closure: true,
      object: false, type: captured ?? "")
  }

  private static let assignment = "assign(to:on:)"

  /// Returns the step of `assign`, which holds the object that it writes to.
  private func assignStep(_ name: String, _ node: Node, _ rest: ArraySlice<Node>) -> Named? {
    guard name.hasPrefix("closure"), name.contains("assign"), name.hasSuffix("(to:on:)"),
      let captured = capturedObject(node, rest)
    else { return nil }
    return Named(
      step: Trace.Explanation.Step(
        what: Self.assignment, detail: "holds \(captured) strongly", source: nil),
      closure: true, object: false, type: captured)
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

  private func fieldStep(_ node: Node, _ rest: ArraySlice<Node>) -> Named {
    let type = heap.className(node.object) ?? "object"
    let target = node.reference?.target ?? 0
    let named = explainer.graph.references(from: node.object, named: true)
    let field = Self.sourceName(named.first { $0.target == target }?.name ?? "")
    let what = field.isEmpty ? type : "\(type).\(field)"
    let isClosure = node.reference.map { $0.code != 0 && heap.isCode($0.code) } ?? false
    let detail =
      isClosure
      ? "closure" : heap.object(at: target).map { describe($0, rest.dropFirst()) } ?? ""
    return Named(
      step: Trace.Explanation.Step(what: what, detail: detail, source: nil), closure: false,
      object: true, type: type)
  }

  /// Returns the way to a field as the source has it, without the parts of the standard library's
  /// collections.
  static func sourceName(_ path: String) -> String {
    var names = path.split(separator: ".").map(String.init)
    for parts in [["_variant", "object", "rawValue"], ["_buffer", "_storage"]]
    where names.count > parts.count && Array(names.suffix(parts.count)) == parts {
      names.removeLast(parts.count)
    }
    return names.map { name in
      name.hasPrefix("$__lazy_storage_$_") ? String(name.dropFirst(18)) : name
    }.joined(separator: ".")
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
    case .instance:
      switch explainer.graph.role(of: object) {
      case .chain: return "Disposable"
      default: return heap.className(object) ?? ""
      }
    }
  }

  /// Returns the step of a Task. It names the function that goes on when the Task does.
  private func taskStep(_ task: Heap.Object, _ rest: ArraySlice<Node>) -> Named {
    let location = Self.code(of: task, explainer).flatMap { functions[$0]?.location }
    let file = location?.source?.split(separator: "/").last
    let next = rest.dropFirst().first { explainer.graph.isOfUser($0.object) }
      .flatMap { heap.className($0.object) }
    return Named(
      step: Trace.Explanation.Step(
        what: "Task" + (file.map { " at \($0)" } ?? ""),
        detail: next.map { "holds \($0), and has not ended" } ?? location?.function
          ?? "has not ended",
        source: location?.source),
      closure: true, object: false)
  }

  private func rootStep(_ root: HolderSearch.Root) -> Named? {
    let what: String
    var detail = ""
    let source: String? = nil
    switch root {
    case .variable(let address):
      guard let variable = variables[address] else {
        what = "a global or static variable"
        break
      }
      what = variable.isStatic ? "static \(variable.name)" : "global \(variable.name)"
      detail = variable.library ?? ""
    case .stack:
      what = "a local variable"
      detail = "of a function that has not returned"
    case .task(let task):
      return taskStep(task, [])
    case .nothing: return nil
    }
    return Named(
      step: Trace.Explanation.Step(what: what, detail: detail, source: source), closure: false,
      object: false)
  }

  // MARK: Sentences

  private func advice(_ cycle: [Named], _ breakIndex: Int?) -> String? {
    guard let breakIndex else { return nil }
    let step = cycle[breakIndex]
    if step.step.what.hasPrefix("Task") {
      return "Capture self weakly in the Task, or cancel it when its owner is no longer needed."
    }
    if step.step.what == Self.assignment {
      return "Use sink, with self captured weakly."
    }
    if step.closure {
      return step.step.detail == "captures self strongly"
        ? "Capture self weakly: [weak self]."
        : "Capture the object weakly, or dispose the subscription before its owner is let go."
    }
    return "Make \(step.step.what) weak, or set it to nil when its owner is no longer needed."
  }

  private func advice(
    _ answer: Explainer.Answer, _ root: HolderSearch.Root, _ steps: [Named]
  ) -> String? {
    switch root {
    case .variable where answer.hasOwner == false:
      "Keep the disposable, as in .dispose(in: bag), or declare lifetime: .process."
    case .variable:
      "Dispose the subscription, or remove what holds it from \(steps.first?.step.what ?? "there")."
    case .task: "Cancel the Task when its owner is no longer needed."
    case .stack: "Dispose the subscription before the function goes on."
    case .nothing: nil
    }
  }

  /// Says who can dispose the subscription.
  private func holder(
    _ answer: Explainer.Answer, _ steps: [Named], _ root: HolderSearch.Root? = nil
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
    if let owner = steps.last(where: \.object) {
      return "It is in \(kind), \(owner.step.what), and \(owner.type) is still alive."
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
