import ReactiveKit
import SystemLibrary
import TraceFormat

enum InstanceCounts {
  /// Something that counts instances at the end of scopes, if `REACTIVE_TRACE_INSTANCES` requests
  /// it.
  static var requestedObserver: (any ScopeObserver)? {
    guard EnvironmentSettings.countsInstances else { return nil }
    guard let search = Causes.search else {
      Diagnostics.warn(
        "\(EnvironmentSettings.prefix)_INSTANCES is ignored: \(Causes.reasonForNone).")
      return nil
    }
    return ScopeInstances(search)
  }
}

/// Counts the live instances at the end of each scope of a log, and finds classes that grow with
/// each repetition of a scope.
///
/// While scopes overlap, the instances of one can't be told from those of the others. So
/// instances aren't counted at the end of a scope if another one is open that isn't around it.
final class ScopeInstances: ScopeObserver {
  /// A scope with a name, and all of its repetitions.
  private struct Step {
    var growth = InstanceGrowth()
    /// The instances of growing classes after the latest repetition, by metadata. All bits of
    /// their addresses are inverted.
    var instances: [UInt: Set<UInt>] = [:]
  }

  private struct State {
    var steps: [String: Step] = [:]
    var names: [UInt: InstanceCount.Name] = [:]
  }

  private let search: any CauseSearching
  private let open = BlockingMutex<Set<Int>>([])
  private let state = BlockingMutex(State())

  /// The maximum number of steps. Names that are made from data would take more and more memory.
  private static let maxSteps = 256
  /// The maximum number of classes of a repetition that are explained.
  private static let maxExplained = 8

  init(_ search: any CauseSearching) { self.search = search }

  func begin(_ scope: Int) { open.withLock { _ = $0.insert(scope) } }

  func end(_ scope: TraceScope, _ recorder: Recorder) {
    let isAlone = open.withLock { open in
      open.remove(scope.number)
      return open.isSubset(of: scope.enclosingNumbers(in: recorder))
    }
    guard isAlone else { return }
    state.withLockIfFree { count(after: scope, &$0, recorder) }
  }

  private func count(after scope: TraceScope, _ state: inout State, _ recorder: Recorder) {
    guard state.steps[scope.name] != nil || state.steps.count < Self.maxSteps else { return }
    var step = state.steps[scope.name] ?? Step()
    // One of the next repetitions may be the last that it takes to count as growth.
    let candidates = Set(
      state.names.filter { _, name in
        step.growth.growing[name.full].map { $0.increases < InstanceGrowth.minIncreases } ?? false
      }.keys)
    guard LeakExplanations.mayBegin, LeakExplanations.hasStack,
      let found = search.countInstances(listing: candidates)
    else { return }
    for one in found.classes where state.names[one.metadata] == nil {
      state.names[one.metadata] = found.name(one.metadata)
    }
    let counts = found.classes.compactMap { one -> LeakedObjects.Class? in
      guard one.count > 0, let name = state.names[one.metadata], name.isOfUser else { return nil }
      return LeakedObjects.Class(name: name.full, count: one.count, bytes: one.bytes)
    }
    .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
    recorder.writeInstances(counts, scope: scope.number)
    step.growth.add(counts.prefix(LeakedObjects.maxListed))
    let grown = found.classes.filter { one in
      state.names[one.metadata].flatMap { step.growth.growing[$0.full] }?.increases
        == InstanceGrowth.minIncreases
    }
    .sorted { ($1.bytes, $0.metadata) < ($0.bytes, $1.metadata) }
    let explained = explain(grown, found.hiddenAddresses, before: step.instances, state.names)
    step.instances = found.hiddenAddresses.mapValues { Set($0) }
    state.steps[scope.name] = step
    for one in explained { recorder.write(one, scope: scope.number) }
  }

  // MARK: What keeps new instances alive

  /// A class that grows, with what keeps one of its new instances alive.
  struct Growing {
    let name: InstanceCount.Name
    let count: Int
    let bytes: Int
    let retention: Retention?
    fileprivate let metadata: UInt
    fileprivate let holders: Set<UInt>
  }

  /// Explains why a new instance of each class is alive. Leaves out classes whose new instance
  /// another growing class holds: these grow because of it.
  private func explain(
    _ grown: [InstanceCount.Class], _ addresses: [UInt: [UInt]], before known: [UInt: Set<UInt>],
    _ names: [UInt: InstanceCount.Name]
  ) -> [Growing] {
    let chosen = grown.prefix(Self.maxExplained).compactMap { one in
      names[one.metadata].map { (one: one, name: $0) }
    }
    let new = chosen.map { item in
      let before = known[item.one.metadata] ?? []
      return addresses[item.one.metadata]?.last { !before.contains($0) }
    }
    let instances = zip(new, chosen).compactMap { address, item in
      address.map { (hiddenAddress: $0, type: item.name.short) }
    }
    var answers = ObjectExplanations.explain(
      instances, search, limit: EnvironmentSettings.explanationLimit
    ).makeIterator()
    let all = zip(new, chosen).map { address, item in
      let answer = address == nil ? nil : answers.next() ?? nil
      return Growing(
        name: item.name, count: item.one.count, bytes: item.one.bytes,
        retention: answer?.retention,
        metadata: item.one.metadata, holders: answer?.holders ?? [])
    }
    return all.enumerated().filter { index, one in
      !all.enumerated().contains { other, holder in
        other != index && one.holders.contains(holder.metadata)
          && (other < index || !holder.holders.contains(one.metadata))
      }
    }
    .map(\.element)
  }
}

extension TraceScope {
  /// The numbers of the scopes of a log around this one.
  fileprivate func enclosingNumbers(in recorder: Recorder) -> Set<Int> {
    var numbers: Set<Int> = []
    var scope = outer?.inside(recorder)
    while let known = scope {
      numbers.insert(known.number)
      scope = known.outer?.inside(recorder)
    }
    return numbers
  }
}

extension Recorder {
  /// The maximum number of classes of one record. A line has a limited number of fields.
  private static let maxClassesOfLine = 200

  /// Writes the numbers of live instances at the end of a scope.
  fileprivate func writeInstances(_ classes: [LeakedObjects.Class], scope: Int) {
    var rest = classes.prefix(LeakedObjects.maxListed)
    while !rest.isEmpty {
      let time = clock.now
      guard let thread = enter() else { return }
      thread.pointee.line.begin(at: time, .instances)
      thread.pointee.line.integer(.scope, scope)
      thread.pointee.line.objects(.members, rest.prefix(Self.maxClassesOfLine).map(\.members))
      write(thread, at: time)
      rest = rest.dropFirst(Self.maxClassesOfLine)
    }
  }

  /// Writes that a class has grown with each repetition of a scope, and what keeps one of its new
  /// instances alive.
  fileprivate func write(_ growing: ScopeInstances.Growing, scope: Int) {
    let id = subscriptions.next()
    let time = clock.now
    guard let thread = enter() else { return }
    thread.pointee.line.begin(at: time, .object)
    thread.pointee.line.integer(.sub, id)
    thread.pointee.line.text(.lane, growing.name.short)
    let steps = growing.retention?.steps ?? []
    let site = growing.retention?.breakStep?.site ?? steps.lazy.compactMap(\.site).first
    if let site { thread.pointee.line.text(.source, site) }
    thread.pointee.line.text(.type, growing.name.full)
    thread.pointee.line.integer(.scope, scope)
    thread.pointee.line.integer(.count, growing.count)
    let all = LeakedObjects.Class(
      name: growing.name.short, count: growing.count, bytes: growing.bytes)
    thread.pointee.line.objects(.members, [all.members])
    write(thread, at: time)
    guard let retention = growing.retention, !retention.steps.isEmpty else { return }
    guard let thread = enter() else { return }
    thread.pointee.line.begin(at: time, .retained)
    thread.pointee.line.integer(.sub, id)
    thread.pointee.line.text(.lane, growing.name.short)
    retention.encode(&thread.pointee.line)
    write(thread, at: time)
  }
}
