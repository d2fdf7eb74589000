package import CodeLocations
package import ProcessMemory

extension InspectedTask {
  /// Creates a task of this process with the functions at its addresses.
  package init(_ record: TaskRecord, _ functions: [UInt: CodeFunction]) {
    self.init(
      record: record,
      frames: record.code.map {
        InspectedFrame(functions[$0], LoadedImage(at: $0), resumingAt: $0)
      })
  }
}
