import Dispatch
import ReactiveKit
import ReactiveTrace

extension Lesson {
  static let workout = Lesson(
    name: "WorkoutScreen",
    lane: "workout.seconds",
    mistake: "The timer is disposed in deinit, which never runs: the timer holds the screen.",
    cure: "Capture self weakly, so that deinit runs.",
    leaky: {
      let screen = WorkoutScreen()
      screen.open()
    },
    cured: {
      let screen = CuredWorkoutScreen()
      screen.open()
    })
}

/// A screen with a count of seconds.
private final class WorkoutScreen {
  private var seconds = 0
  private var timer: (any Disposable)?

  func open() {
    timer = SafeSignal(sequence: 0..., interval: 1, queue: .main)
      .lane("workout.seconds")
      .observeNext { self.seconds = $0 }  // observed, mistake
  }

  deinit { timer?.dispose() }
}

private final class CuredWorkoutScreen {
  private var seconds = 0
  private var timer: (any Disposable)?

  func open() {
    timer = SafeSignal(sequence: 0..., interval: 1, queue: .main)
      .lane("workout.seconds")
      .observeNext { [weak self] in self?.seconds = $0 }
  }

  deinit { timer?.dispose() }
}
