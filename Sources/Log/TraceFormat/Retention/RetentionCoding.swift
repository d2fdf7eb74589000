/// The keys of a step of a retention path in the log, in the order in which they appear.
///
/// A string's key must have at most 7 letters, so that a step is valid JSON after each store of
/// 16 bytes (see `LinePublisher`).
package enum RetentionKey: String, CaseIterable, Sendable {
  case kind, type, name, holds, target, way, value
  /// The function around a closure.
  case function = "in"
  case code, library
  /// The state of something that waits: `suspended`, `pending` or `continuation`.
  case state
  case isSelf = "self"
  case isLoop = "loop"
  case sub, count, bytes
  case site = "at"
  case column, ref
  /// The path of a source file, and the number of a thread. Steps don't have them.
  case path, thread

  /// A Boolean value that indicates whether the value is an integer.
  package var isInteger: Bool {
    switch self {
    case .isSelf, .isLoop, .sub, .count, .bytes, .column, .thread: true
    default: false
    }
  }
}

/// A value of a step of a retention path in the log.
package enum RetentionValue: Sendable, Hashable {
  case text(String)
  case integer(UInt64)
}

/// The members of an object in a list of a record.
package typealias RecordObject = [(key: RetentionKey, value: RetentionValue)]

/// The kinds of steps in the log. The raw value is the text of the key `kind`.
package enum StepWord: String {
  case subscription, object, closure, method, function, assign, task, field
  case global, staticMember = "static", library, variable
  case local, thread, runningThread, threadDictionary, queue, group, delay, block, timer, omitted
}

extension Retention.Step {
  /// The step as members of a JSON object in the log.
  package var members: RecordObject {
    var members = StepMembers()
    encode(to: &members)
    members.text(.site, site)
    members.integer(.column, column)
    if strength != .strong { members.text(.ref, strength.rawValue) }
    return members.all
  }

  /// A string that is the same for equal steps of different subscriptions of a lane.
  package var identity: String { identity(ignoring: [.sub]) }

  /// The facts of the step that are the same in each run, also if the code around it moves.
  package var lastingIdentity: String { identity(ignoring: [.sub, .site, .column, .code]) }

  private func identity(ignoring ignored: Set<RetentionKey>) -> String {
    if case .text(let what, _) = kind { return what }
    return members.lazy.filter { !ignored.contains($0.key) }
      .map { "\($0.key.rawValue)=\($0.value)" }.joined(separator: " ")
  }

  private func encode(to members: inout StepMembers) {
    func begin(_ word: StepWord) { members.text(.kind, word.rawValue) }
    switch kind {
    case .subscription(let id, let lane):
      begin(.subscription)
      members.text(.name, lane)
      members.all += id.map { [(.sub, .integer($0.number))] } ?? []
    case .object(let type):
      begin(.object)
      members.text(.type, type)
    case .closure(let closure):
      members.text(.kind, closure.form.rawValue)
      members.encode(closure)
    case .assignment(let type):
      begin(.assign)
      members.text(.holds, type)
    case .task(let holds, let waitsForContinuation):
      begin(.task)
      members.text(.holds, holds)
      if waitsForContinuation { members.text(.state, StepMembers.continuation) }
    case .field(let field):
      begin(.field)
      members.encode(field)
    case .variable(let variable):
      members.text(.kind, variable.scope.rawValue)
      members.text(.name, variable.name)
      members.text(.library, variable.library)
    case .localVariable: begin(.local)
    case .threadValue: begin(.thread)
    case .runningThread: begin(.runningThread)
    case .threadDictionary: begin(.threadDictionary)
    case .queue(let queue):
      begin(.queue)
      members.encode(queue)
    case .group: begin(.group)
    case .delay: begin(.delay)
    case .block: begin(.block)
    case .timer: begin(.timer)
    case .omitted(let count):
      begin(.omitted)
      members.integer(.count, count)
    case .text(let what, let detail):
      members.text(.name, what)
      members.text(.holds, detail)
    }
  }
}

/// The encoder of a step's members.
package struct StepMembers {
  package static let continuation = "continuation"
  package static let suspended = "suspended"
  package static let pending = "pending"
  package static let mainQueue = "main"
  package static let globalQueue = "global"

  var all: RecordObject = []

  mutating func text(_ key: RetentionKey, _ text: String?) {
    if let text, !text.isEmpty { all.append((key, .text(text))) }
  }

  mutating func integer(_ key: RetentionKey, _ number: Int?) {
    if let number, number >= 0 { all.append((key, .integer(UInt64(number)))) }
  }

  mutating func encode(_ closure: Retention.Step.Closure) {
    let capture = closure.capture
    text(.name, capture.name)
    text(.holds, capture.type)
    switch capture.kind {
    case .object: text(.way, CaptureWord.object.rawValue)
    case .disposable: text(.way, CaptureWord.disposable.rawValue)
    case .variable: text(.way, CaptureWord.variable.rawValue)
    case .value(let type):
      text(.way, CaptureWord.value.rawValue)
      text(.value, type)
    case .collection: text(.way, CaptureWord.collection.rawValue)
    case .unknown: break
    }
    text(.function, closure.function)
    text(.code, closure.code)
    if capture.isSelf { integer(.isSelf, 1) }
    if capture.holdsClosure { integer(.isLoop, 1) }
  }

  mutating func encode(_ field: Retention.Step.Field) {
    text(.type, field.owner)
    text(.name, field.name)
    switch field.content {
    case .type(let type): text(.holds, type)
    case .other(let other): text(.target, other.rawValue)
    }
    text(.way, field.holding.rawValue)
    text(.library, field.library)
  }

  mutating func encode(_ queue: Retention.Step.Queue) {
    switch queue.kind {
    case .main: text(.target, Self.mainQueue)
    case .global: text(.target, Self.globalQueue)
    case .labeled(let label): text(.name, label)
    }
    text(.state, queue.isSuspended ? Self.suspended : Self.pending)
  }
}

/// The ways in which a closure captures something. The raw value is the text of the key `way`.
package enum CaptureWord: String {
  case object, disposable, variable, value, collection
}
