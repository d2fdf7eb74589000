// Stands for the module: Harbor
actor Board {
  func departure(of ferry: String) -> Int? { nil }
  func cancel(_ ferry: String) {}
}
