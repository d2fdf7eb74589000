/// One line of the table: the same work by several contestants.
struct Row {
  let name: RowName
  /// Creates the work and the objects that it uses.
  let contestants: [Contestant: () -> Work]

  init(_ name: RowName, _ contestants: [Contestant: () -> Work]) {
    self.name = name
    var contestants = contestants
    #if canImport(OpenCombine)
      contestants[.openCombine] = peer.work[name]
    #endif
    self.contestants = contestants
  }
}
