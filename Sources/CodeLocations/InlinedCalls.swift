#if os(Linux)
  /// The calls that the compiler inlined (DWARF, version 4, in `.debug_info`).
  ///
  /// In optimized code, the address of a call of `observeNext` only has lines of this package in
  /// the line table. The line of the call itself is in these entries.
  final class InlinedCalls {
    /// A call by the number of its file, and its line.
    struct Call: Equatable {
      var file = 0
      var line = 0
    }

    private let file: ElfFile
    private let isInTime: () -> Bool
    /// The addresses to find calls for, in ascending order.
    private let addresses: [UInt]
    private lazy var info = file.contents(".debug_info")
    private lazy var abbreviations = file.contents(".debug_abbrev")
    private lazy var ranges = file.contents(".debug_ranges")
    /// The offsets of the compiled units by the offsets of their line programs.
    private lazy var units = findUnits()
    private var known: [Int: [UInt: [Call]]] = [:]

    init(_ file: ElfFile, _ addresses: [UInt], isInTime: @escaping () -> Bool) {
      self.file = file
      self.addresses = addresses
      self.isInTime = isInTime
    }

    /// Returns the calls whose code is at an address, the innermost first. `unit` is the offset of
    /// the line program for the address.
    func calls(at address: UInt, in unit: Int) -> [Call] {
      if known[unit] == nil { known[unit] = units[unit].map { read($0) } ?? [:] }
      return known[unit]?[address] ?? []
    }

    private func findUnits() -> [Int: Int] {
      info.withUnsafeBytes { info in
        abbreviations.withUnsafeBytes { DebugUnit.byLines(info, $0, isInTime: isInTime) }
      }
    }

    /// Returns the calls at all addresses that are in a unit.
    private func read(_ start: Int) -> [UInt: [Call]] {
      var calls: [UInt: [Call]] = [:]
      info.withUnsafeBytes { info in
        guard let unit = DebugUnit(info, at: start) else { return }
        let forms = abbreviations.withUnsafeBytes { DebugEntry.forms($0, at: unit.abbreviations) }
        var cursor = unit.cursor
        var base: UInt = 0
        var count = 0
        while !cursor.isAtEnd {
          count += 1
          if count % 4096 == 0, !isInTime() { return }
          let code = cursor.unsigned()
          guard code != 0 else { continue }
          // Entries after an entry with an unknown form can't be read.
          guard let form = forms[code] else { return }
          let entry = DebugEntry(form, &cursor, unit)
          if count == 1 { base = entry.low }
          guard form.isInlinedCall else { continue }
          visit(entry, base) { range in
            var index = addresses.firstIndex(notBelow: range.lowerBound) { $0 }
            while index < addresses.count, addresses[index] < range.upperBound {
              // Entries follow the entries that contain them.
              calls[addresses[index], default: []].insert(entry.call, at: 0)
              index += 1
            }
          }
        }
      }
      return calls
    }

    /// Calls `body` with each range of addresses of an entry.
    private func visit(_ entry: DebugEntry, _ unitBase: UInt, _ body: (Range<UInt>) -> Void) {
      guard let offset = entry.ranges else {
        if entry.low < entry.high { body(entry.low..<entry.high) }
        return
      }
      ranges.withUnsafeBytes { ranges in
        var cursor = ByteCursor(ranges, from: offset)
        var base = unitBase
        while !cursor.isAtEnd {
          let (low, high) = (UInt(cursor.number(8)), UInt(cursor.number(8)))
          if low == 0, high == 0 { return }
          if low == .max {
            base = high
          } else if low < high, base &+ low < base &+ high {
            body(base &+ low..<base &+ high)
          }
        }
      }
    }
  }
#endif
