/// The words for the end of a subscription, as its library calls it.
package struct EndWords {
  /// What ends it: `Dispose` or `Cancel`.
  package let verb: String
  /// What the verb is about: a subscription, or what has it.
  package let noun: String
  /// An example of an end with the owner, as a part of a sentence. It may be empty.
  package let example: String
  /// The alternative to an end, as a part of a sentence. It may be empty.
  package let orLifetime: String
  private let library: LogFormat.StreamLibrary?

  /// Creates the words of a library, or those of ReactiveKit.
  package init(_ library: LogFormat.StreamLibrary?) {
    self.library = library
    switch library {
    case nil: (verb, noun, example) = ("Dispose", "subscription", ", as in .dispose(in: bag)")
    case .combine, .openCombine:
      (verb, noun, example) = ("Cancel", "subscription", ", as in .store(in: &cancellables)")
    case .rxSwift: (verb, noun, example) = ("Dispose", "subscription", ", as in .disposed(by: bag)")
    case .reactiveSwift:
      (verb, noun, example) = ("Dispose", "subscription", ", as in .take(during: lifetime)")
    case .asyncSequence: (verb, noun, example) = ("Cancel", "task", "")
    case .observation: (verb, noun, example) = ("Cancel", "observer", "")
    }
    orLifetime = library == .observation ? "" : ", or declare lifetime: .process"
  }

  /// What ends the subscription: `Cancel the task that iterates`.
  var end: String {
    "\(verb) the \(noun)" + (library == .asyncSequence ? " that iterates" : "")
  }

  /// The same after a sentence about the subscription.
  package var endIt: String {
    switch library {
    case .asyncSequence, .observation: end
    case nil, .combine, .openCombine, .reactiveSwift, .rxSwift: "\(verb) it"
    }
  }

  /// What to do with the result of the observing call, if it was discarded.
  var keep: String {
    switch library {
    case .combine, .openCombine: "Keep the AnyCancellable\(example)"
    case .asyncSequence: "Keep the task that iterates, and cancel it"
    case .observation: "Keep the observer"
    case nil, .rxSwift, .reactiveSwift: "Keep the disposable\(example)"
    }
  }

  /// A sentence about a subscription that nothing can end.
  var nobody: String {
    switch library {
    case .combine, .openCombine: "Nobody can cancel it: it doesn't have an AnyCancellable."
    case .asyncSequence, .observation: "Nobody can cancel it."
    case nil, .rxSwift, .reactiveSwift: "Nobody can dispose it: the disposable was discarded."
    }
  }
}
