/// A mistake of a program, with the finding that a search for leaked objects should have.
struct Mistake: Encodable, Sendable {
  enum Kind: String, Encodable {
    /// Objects retain each other.
    case cycle
    /// The retain count is too large: nobody has the reference that should be released.
    case unreachable
  }

  /// The kind of the finding. If there are two kinds, both are right.
  let kinds: [Kind]

  /// The strong references on the cycle, in order, beginning anywhere. If several cycles share an
  /// object, each of them is an element, and a finding that shows one of them is right.
  ///
  /// A step is one of these:
  ///
  /// - `Type.property`: a stored property of an object. The type is the class that declares the
  ///   property, without its module and without generic arguments: `Node.next`,
  ///   `Catalog.Entry.owner`. A `lazy` property has its name in the source, and a property with a
  ///   wrapper has an underscore: `Profile._name`.
  /// - `closure.name`: a captured value of a closure. A method reference captures its instance,
  ///   `self`.
  ///
  /// What is between an object and the next one isn't a step: fields of structs and tuples,
  /// payloads of enums, elements of arrays, dictionaries and sets, boxes of captured variables,
  /// of existential values and of indirect cases, and contexts that only convert a closure.
  ///
  /// If a name appears several times in succession, the cycle has this many objects.
  let cycles: [[String]]

  /// Whether the cycles have all steps. If not, other steps may be between, because objects of a
  /// library are on the cycle, whose properties this program doesn't control.
  let isComplete: Bool

  /// The number of instances that the program can't reach, by the name of the class. It includes
  /// what the objects on the cycle retain. Only classes of this program count.
  let leaked: [String: Int]

  /// The number of times that the program makes the mistake. All of them are one finding.
  let times: Int

  /// The step to break, or nil if it isn't compared.
  var breaks: String?

  /// The beginning of the advice, or nil if it isn't compared.
  var advice: String?

  /// Returns the same mistake with the step to break and the beginning of the advice.
  func breaking(_ step: String, _ advice: String?) -> Mistake {
    var mistake = self
    (mistake.breaks, mistake.advice) = (step, advice)
    return mistake
  }

  /// Returns the same mistake with the beginning of the advice.
  func advising(_ advice: String) -> Mistake {
    var mistake = self
    mistake.advice = advice
    return mistake
  }

  /// A cycle with exactly these steps.
  ///
  /// - Parameter alternatives: other cycles of the same objects.
  static func cycle(
    _ steps: [String], or alternatives: [String]..., leaked: [String: Int], times: Int = 1
  ) -> Mistake {
    Mistake(
      kinds: [.cycle], cycles: [steps] + alternatives, isComplete: true, leaked: leaked,
      times: times)
  }

  /// A cycle that has these steps in this order, and possibly others between them.
  ///
  /// An alternative without steps is a cycle of objects of a library, which retain the others.
  static func cycle(
    through steps: [String], or alternatives: [String]..., leaked: [String: Int], times: Int = 1
  ) -> Mistake {
    Mistake(
      kinds: [.cycle], cycles: [steps] + alternatives, isComplete: false, leaked: leaked,
      times: times)
  }

  /// A lost reference.
  static func unreachable(_ leaked: [String: Int], times: Int = 1) -> Mistake {
    Mistake(kinds: [.unreachable], cycles: [], isComplete: true, leaked: leaked, times: times)
  }

  /// A cycle in which a raw reference has a retain count, so that a finding can be of both kinds.
  static func cycle(
    withRawReference steps: [String], leaked: [String: Int]
  ) -> Mistake {
    Mistake(
      kinds: [.cycle, .unreachable], cycles: [steps], isComplete: true, leaked: leaked, times: 1)
  }
}
