package import TraceFormat

extension LogAnalysis {
  /// The objects that nothing in their process can reach any more.
  package var leakedObjects: [(index: Int, objects: LeakedObjects)] {
    recordedObjects.filter { $0.objects.scope == nil }
  }

  /// The instances of classes that grew with each repetition of a scope when a record was written.
  var growingInstances: [(index: Int, objects: LeakedObjects)] {
    recordedObjects.filter { $0.objects.scope != nil }
  }

  private var recordedObjects: [(index: Int, objects: LeakedObjects)] {
    guard logs.contains(where: { !$0.objects.isEmpty }) else { return [] }
    return lifecycles.positions { $0.isObject && !$0.livesUntilExit }.compactMap { index in
      leakedObjects(of: index).map { (index, $0) }
    }
  }

  /// Returns the name of a lifecycle and its lane. Leaked objects don't have numbers.
  package func title(of lifecycle: Lifecycle) -> String {
    let lane = lifecycle.site.lane
    guard lifecycle.isObject else { return "\(name(of: lifecycle)) \(lane)" }
    return logs.count < 2 ? lane : "\(lane) of \(logs[Int(lifecycle.log)].title)"
  }

  /// The number of the subscriptions, without leaked objects.
  package var subscriptionCount: Int {
    lifecycles.count - logs.reduce(0) { $0 + $1.objects.count }
  }

  /// Returns the objects that a lifecycle stands for; nil for all subscriptions.
  package func leakedObjects(of index: Int) -> LeakedObjects? {
    let activity = lifecycles.activity(at: index)
    guard activity.isObject else { return nil }
    return logs[Int(activity.log)].objects[lifecycles.origin(at: index).id.number]
  }
}

extension TraceLog {
  /// The number of leaked objects, and their size in bytes.
  package var leaked: (objects: Int, bytes: Int) {
    objects.values.filter { $0.scope == nil }
      .reduce((0, 0)) { ($0.0 + $1.objectCount, $0.1 + $1.bytes) }
  }

  /// The number of subscriptions, without leaked objects.
  package var subscriptionCount: Int { members.count - objects.count }
}

extension LogAnalysis {
  /// Returns the indices of findings about objects, in ascending order, if another finding is about
  /// the same mistake: the recorder of the process found the same closure, property or task.
  func repeatedObjects(_ findings: [Finding]) -> [Int] {
    let objects = findings.indices.filter { isLeakedObject(findings[$0].lifecycle) }
    guard !objects.isEmpty, objects.count < findings.count else { return [] }
    var known: [LogProcess: KnownSteps] = [:]
    for finding in findings where finding.isProven && !isLeakedObject(finding.lifecycle) {
      guard let process = process(of: finding.lifecycle) else { continue }
      var steps = known[process] ?? KnownSteps()
      steps.hasTask = steps.hasTask || lifecycles[finding.lifecycle].isTask
      for index in finding.affected where DistinctLeaks.rules.contains(finding.rule) {
        if let source = observedSource(of: index) { steps.sites.insert(source) }
        for step in retention(of: index)?.steps ?? [] { steps.insert(step) }
      }
      known[process] = steps
    }
    return objects.filter { index in
      let finding = findings[index]
      return process(of: finding.lifecycle).flatMap { known[$0] }?
        .contain(finding.retention, lifecycles[finding.lifecycle].site.lane) ?? false
    }
  }

  private func isLeakedObject(_ index: Int) -> Bool {
    leakedObjects(of: index).map { $0.scope == nil } ?? false
  }

  /// A process with logs.
  private struct LogProcess: Hashable {
    let number: UInt64
    let name: String?
  }

  private func process(of index: Int) -> LogProcess? {
    let header = logs[log(of: index)].header
    return header?.pid.map { LogProcess(number: $0, name: header?.process) }
  }

  /// The steps of the findings of a process.
  private struct KnownSteps {
    var sites: Set<String> = []
    var properties: Set<String> = []
    var classes: Set<String> = []
    var hasTask = false

    mutating func insert(_ step: Retention.Step) {
      if let site = step.site, step.isCode { sites.insert(site) }
      if let field = step.field {
        properties.insert(Self.name(field))
        classes.insert(field.owner)
      }
      if case .task = step.kind { hasTask = true }
    }

    /// Returns whether the steps are those of a cycle of objects, or of an object that isn't on a
    /// cycle.
    func contain(_ retention: Retention?, _ name: String) -> Bool {
      guard let steps = retention?.steps, !steps.isEmpty else { return classes.contains(name) }
      let code = steps.filter(\.isCode)
      let fields = steps.compactMap(\.field)
      if code.isEmpty { return fields.contains { properties.contains(Self.name($0)) } }
      if fields.isEmpty, code.allSatisfy({ if case .task = $0.kind { true } else { false } }) {
        return hasTask
      }
      return code.contains { $0.site.map(sites.contains) ?? false }
    }

    /// The name of a property, without those of the structures in it.
    private static func name(_ field: Retention.Step.Field) -> String {
      "\(field.owner).\(field.name?.prefix { $0 != "." } ?? "")"
    }
  }
}
