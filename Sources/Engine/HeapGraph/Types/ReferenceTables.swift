import CRuntime.Heap

/// The references of types as tables for the loops over all memory.
final class ReferenceTables {
  private var known: [[ValueLayout.Reference]: heap_strong] = [:]
  private var memory: [UnsafeMutableRawPointer] = []

  deinit { memory.forEach { $0.deallocate() } }

  /// Returns a table that is valid as long as this object.
  func table(_ references: [ValueLayout.Reference]) -> heap_strong {
    guard !references.isEmpty else { return heap_strong() }
    if let known = known[references] { return known }
    let table = make(references.sorted { $0.offset < $1.offset })
    known[references] = table
    return table
  }

  private func make(_ references: [ValueLayout.Reference]) -> heap_strong {
    var conditions: [heap_condition] = []
    var entries: [heap_reference] = []
    for reference in references {
      entries.append(
        heap_reference(
          offset: UInt32(clamping: reference.offset), kind: reference.kind.value,
          condition_count: UInt16(clamping: reference.conditions.count),
          first_condition: UInt32(clamping: conditions.count)))
      conditions += reference.conditions.map {
        heap_condition(
          offset: UInt32(clamping: $0.offset), is_equal: $0.isEqual, mask: $0.mask, value: $0.value)
      }
    }
    return heap_strong(
      references: copy(entries), conditions: copy(conditions), count: UInt32(entries.count))
  }

  private func copy<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
    let copy = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
    copy.initialize(from: elements, count: elements.count)
    memory.append(UnsafeMutableRawPointer(copy))
    return UnsafePointer(copy)
  }
}

extension ValueLayout.Reference.Kind {
  fileprivate var value: heap_reference_kind {
    switch self {
    case .word: heap_word
    case .container: heap_container
    case .errorValue: heap_error_value
    }
  }
}
