import Foundation
import ReactiveKit
import ReactiveTrace

// What the examples of the page use and do not declare.

nonisolated(unsafe) var cancellables: Set<AnyCancellable> = []
let query = Property("")
let parts = [Data()]

func show(_ query: String) {}

func send(_ part: Data) async throws {}
