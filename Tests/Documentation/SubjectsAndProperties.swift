import Foundation
import ReactiveKit

// What the examples of the page use and do not declare.

final class Search: ReactiveKit.ObservableObject {
  @Published var query = ""
}

let bag = DisposeBag()
