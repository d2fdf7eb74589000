import Dispatch
import ReactiveKit

extension LeakCase {
  static let quizScreen = held(
    "dispatch-after", lanes: ["quiz.answers"], roots: ["asyncAfter"],
    path: ["closure at QuizScreen", "QuizScreen.bag"], holder: ["QuizScreen.bag"], alive: true,
    .now {
      let screen = QuizScreen()
      screen.open()
      return screen
    })
}

enum QuizServer {
  static let answers = PassthroughSubject<Int, Never>()
}

/// A screen that asks again each hour, whether or not it is visible.
final class QuizScreen: @unchecked Sendable {
  private var answers: [Int] = []
  private let bag = DisposeBag()

  func open() {
    QuizServer.answers
      .traced("quiz.answers")
      .observeNext { [weak self] in self?.answers.append($0) }  // observed
      .dispose(in: bag)
    poll()
  }

  private func poll() {
    DispatchQueue.main.asyncAfter(deadline: .now() + 3600) { self.poll() }
  }
}
