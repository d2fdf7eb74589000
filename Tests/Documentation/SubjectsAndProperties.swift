import Foundation
import ReactiveKit

// Declarations that the examples of the page take for granted.

final class Search: ReactiveKit.ObservableObject {
  @Published var query = ""
}

let bag = DisposeBag()
