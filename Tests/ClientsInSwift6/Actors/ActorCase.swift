import Dispatch
import ReactiveKit

/// Code of an app whose closures belong to an actor, with the events that it expects and with the
/// mistake that it must not survive.
public struct ActorCase: Sendable {
  /// What the code is.
  public let name: String

  /// Runs the code as it is meant. Returns whether the actor saw the events.
  public let runsOnActor: @Sendable () async -> Bool

  /// Runs the code with events from a thread that isn't the actor's. Returns only if a closure of
  /// the actor ran there.
  public let runsElsewhere: @Sendable () async -> Void

  public static let all: [ActorCase] =
    viewModels + actors + services + requirements + producers
}

/// Runs the work on a thread that belongs to no actor, and waits for its end.
func elsewhere(_ work: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { end in
    DispatchQueue(label: "elsewhere").async {
      work()
      end.resume()
    }
  }
}
