import ReactiveKit

extension LeakCase {
  static let boundLabel = fine(
    "bind-target-gone", lanes: ["label.texts"],
    .now {
      let label = BoundLabel()
      LabelSource.texts.traced("label.texts").bind(to: label) { $0.text = $1 }  // observed
      LabelSource.texts.send("fine")
      return label
    })
}

enum LabelSource {
  static let texts = PassthroughSubject<String, Never>()
}

/// A target of bindings that end when it is deallocated.
final class BoundLabel: DisposeBagProvider, BindingExecutionContextProvider {
  let bag = DisposeBag()
  var text = ""

  var bindingExecutionContext: ExecutionContext { .immediate }
}
