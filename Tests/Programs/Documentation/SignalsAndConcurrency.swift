import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

struct User {}

enum Resource {
  case user
}

@MainActor final class Screen {
  var title = ""
}

let screen: Screen? = nil

let bag = DisposeBag()
let searchText = Property("")
let numbers = AsyncStream<Int> { $0.finish() }

func download(_ resource: Resource) async throws -> User { User() }
