/// A step of a path in words, with the facts that advice depends on.
struct NamedStep {
  /// What a step is.
  enum Kind {
    case subscription
    /// A closure of the user.
    case closure(ClosureCapture)
    /// The closure that the library makes for `assign(to:on:)`.
    case assignment
    case task(waitsForContinuation: Bool)
    /// A field of an object of the user.
    case field(owner: String, Holding)
    /// What a path begins with: a variable, a function that has not returned.
    case root
  }

  /// The way in which a field holds the next step.
  enum Holding {
    /// A reference that becomes weak with one word.
    case optionalReference
    /// A reference that is not optional.
    case reference
    case collection
    case closure
    /// An optional that cannot be weak.
    case optional
    /// A reference to a disposable, which belongs to its owner. Some kinds are disposed when they are
    /// deallocated, others keep their subscription alive without anybody who could dispose it.
    case disposable(disposesItself: Bool)
    /// Something that cannot be weak: a property, a structure.
    case other
  }

  let step: Trace.Explanation.Step
  let kind: Kind

  /// A Boolean value that indicates whether the step is code of the user that holds something.
  var isClosure: Bool {
    switch kind {
    case .closure, .assignment, .task: true
    case .subscription, .field, .root: false
    }
  }

  var isField: Bool {
    if case .field = kind { true } else { false }
  }

  var isOfUser: Bool { isClosure || isField }

  var capturesSelf: Bool {
    if case .closure(let capture) = kind { capture.isSelf } else { false }
  }

  /// The class of the object that has the field, or an empty text.
  var fieldOwner: String {
    if case .field(let owner, _) = kind { owner } else { "" }
  }
}

/// What a closure captures that leads to the next step.
struct ClosureCapture {
  enum Way {
    case object
    /// A variable that the closure can change.
    case variable
    /// A structure or enumeration of a type, which contains the object.
    case value(String)
    case collection
    /// Another closure, or something without a name.
    case nextStep
  }

  var way: Way
  /// The class of the captured object.
  var type: String?
  /// The name of the captured variable or constant, if it is known.
  var name: String?
  var isSelf = false
  /// A Boolean value that indicates whether the captured variable holds this very closure.
  var holdsItself = false
  /// A Boolean value that indicates whether a method is used as a closure. Its name isn't known: the
  /// compiler makes a closure that calls it.
  var isMethod = false
  /// The nested function that is used as a closure, if there is one. It cannot have a capture list.
  var nestedFunction: String?

  init(way: Way) { self.way = way }

  /// A Boolean value that indicates whether the closure captures an object of a known class.
  var holdsObject: Bool { type != nil }

  /// The words for the step: `captures self strongly`.
  var words: String {
    let type = type ?? ""
    switch way {
    case .object:
      if isSelf { return "captures self strongly" }
      return name.map { "captures \($0) (\(type)) strongly" } ?? "captures \(type) strongly"
    case .variable:
      let variable = name.map { "the variable \($0)" } ?? "a variable"
      if holdsItself { return "captures \(variable), which holds this closure" }
      return type.isEmpty ? "captures \(variable)" : "captures \(variable), which holds \(type)"
    case .value(let value):
      return "captures \(name.map { "\($0) (\(value))" } ?? value), which holds \(type)"
    case .collection:
      return "captures \(name ?? "a collection"), which holds \(type)"
    case .nextStep: return name.map { "captures \($0)" } ?? "captures the next step"
    }
  }
}
