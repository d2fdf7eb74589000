import Foundation
import ReactiveKit

// What the examples of the page use and do not declare.

struct User {}

enum Resource {
  case user
}

let bag = DisposeBag()
let searchText = Property("")
let numbers = AsyncStream<Int> { $0.finish() }

func download(_ resource: Resource) async throws -> User { User() }
