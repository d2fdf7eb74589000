import Dispatch
import ReactiveKit

/// App code whose closures are isolated to an actor. It runs once with the expected events, and
/// once with a mistake that must end the process.
public struct ActorCase: Sendable {
  /// A description of the code.
  public let name: String

  /// Runs the code as intended. Returns whether the actor received the events.
  public let runsOnActor: @Sendable () async -> Bool

  /// Runs the code with events from a thread that isn't the actor's. Returns only if one of the
  /// actor's closures ran on that thread.
  public let runsElsewhere: @Sendable () async -> Void

  public static let all: [ActorCase] =
    viewModels + actors + services + requirements + producers
}

/// Runs the work on a thread that doesn't belong to an actor, and waits for its end.
func elsewhere(_ work: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { end in
    DispatchQueue(label: "elsewhere").async {
      work()
      end.resume()
    }
  }
}
