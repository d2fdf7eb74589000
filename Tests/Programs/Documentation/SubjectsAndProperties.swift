import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

final class Search: ReactiveKit.ObservableObject {
  @Published var query = ""
}

let bag = DisposeBag()
