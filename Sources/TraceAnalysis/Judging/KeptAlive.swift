import TraceFormat

/// The subscriptions that another leaking subscription keeps alive, as the process found it.
///
/// An observer that leaks holds what it observes and what its closure captures. Other subscriptions
/// among those end as soon as that one does, so they are not mistakes of their own. Two things tell
/// that: the path to a subscription leads through the other one, or both are kept alive by one
/// closure, and the other one was observed where that closure is.
struct KeptAlive {
  private let log: LogAnalysis
  /// For each index in `LogAnalysis.lifecycles`, true if it was found. It is empty if no process
  /// looked for holders.
  private let isFound: [Bool]
  /// The subscriptions that were observed nearest to a closure to change, by that closure.
  private let nearest: [Closure: Nearest]

  /// A closure of the user that keeps subscriptions of a log alive.
  private struct Closure: Hashable {
    let log: Int32
    let site: String
  }

  private struct Nearest {
    let place: ObservedPlace
    let distance: Int
    /// The subscriptions that were observed at the place, in ascending order.
    var members: [Int]
  }

  /// - Parameter found: Indices in `LogAnalysis.lifecycles`, each once.
  init(_ found: [Int], in log: LogAnalysis) {
    self.log = log
    guard log.logs.contains(where: { !$0.retentions.isEmpty }) else {
      isFound = []
      nearest = [:]
      return
    }
    var isFound = [Bool](repeating: false, count: log.lifecycles.count)
    for index in found { isFound[index] = true }
    self.isFound = isFound
    var nearest: [Closure: Nearest] = [:]
    for index in found {
      guard let closure = KeptAlive.closure(of: index, in: log),
        let place = log.observed(of: log.lifecycles[index]),
        let distance = KeptAlive.distance(from: place, to: closure.site)
      else { continue }
      if let known = nearest[closure], known.distance <= distance {
        if known.place == place { nearest[closure]?.members.append(index) }
        continue
      }
      nearest[closure] = Nearest(place: place, distance: distance, members: [index])
    }
    self.nearest = nearest.mapValues { nearest in
      Nearest(
        place: nearest.place, distance: nearest.distance, members: nearest.members.sorted())
    }
  }

  /// Returns the subscription that keeps another one alive; `nil` if nothing that was found
  /// does.
  func holder(of index: Int) -> Int? {
    guard !isFound.isEmpty, let retention = log.retention(of: index) else { return nil }
    return holderOnPath(retention, to: index) ?? holderAtClosure(of: index)
  }

  /// Returns the last subscription on the path that is among what was found and was not made for
  /// the subscription itself.
  private func holderOnPath(_ retention: Retention, to index: Int) -> Int? {
    let number = Int(log.lifecycles.activity(at: index).log)
    return retention.steps.reversed().lazy
      .compactMap { step in step.subscription.flatMap { log.index(of: $0, log: number) } }
      .first { holder in
        holder != index && isFound[holder]
          && !log.ancestors(of: log.lifecycles[holder]).contains(index)
      }
  }

  /// Returns the subscription whose closure is on the cycle of another one that was observed
  /// elsewhere.
  private func holderAtClosure(of index: Int) -> Int? {
    guard let closure = KeptAlive.closure(of: index, in: log), let nearest = nearest[closure],
      nearest.place != log.observed(of: log.lifecycles[index])
    else { return nil }
    // Of several instances, the next one is most likely of the same owner.
    return nearest.members.first { $0 > index } ?? nearest.members.last
  }

  private static func closure(of index: Int, in log: LogAnalysis) -> Closure? {
    guard let retention = log.retention(of: index), retention.isCycle,
      let position = retention.breakIndex, let site = retention.steps[position].site
    else { return nil }
    return Closure(log: log.lifecycles.activity(at: index).log, site: site)
  }

  /// Returns the number of lines between a place and a closure of the same file.
  private static func distance(from place: ObservedPlace, to site: String) -> Int? {
    let site = SourceText(site)
    guard let file = place.file, file == site.file, let first = place.line, let second = site.line
    else { return nil }
    return abs(first - second)
  }
}

extension LogAnalysis {
  /// Reports whether a subscription was made for another one that is still active.
  package func isMadeForActive(_ index: Int) -> Bool {
    parent(of: lifecycles[index]).map { lifecycles[$0].isActive } ?? false
  }
}
