import ReactiveKit

extension LeakCase {
  static let finishedWizard = fine(
    "object-cycle-completed", lanes: ["wizard.steps"], alive: true,
    .now {
      let steps = PassthroughSubject<Int, Never>()
      let wizard = FinishedWizard()
      wizard.follow(steps)
      steps.send(lastElement: 3)
      return wizard
    })
}

/// A wizard that retains itself through a closure, but whose subscription has completed.
final class FinishedWizard {
  private var step = 0
  private var onBack: (() -> Void)?
  private let bag = DisposeBag()

  func follow(_ steps: PassthroughSubject<Int, Never>) {
    onBack = { self.step -= 1 }
    steps
      .traced("wizard.steps")
      .observeNext { [weak self] in self?.step = $0 }  // observed
      .dispose(in: bag)
  }
}
