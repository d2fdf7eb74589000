import Foundation
import ReactiveKit
import ReactiveTrace

// Declarations that the examples of the page use.

nonisolated(unsafe) var cancellables: Set<AnyCancellable> = []
let query = Property("")
let parts = [Data()]

func show(_ query: String) {}

func send(_ part: Data) async throws {}
