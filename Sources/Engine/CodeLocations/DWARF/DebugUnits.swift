#if os(Linux)
  /// The compiled units in the debug information of a file (DWARF, version 4). Each section is read
  /// when it is first needed.
  final class DebugUnits {
    private struct Unit {
      let start: Int
      /// The addresses of the unit's code. They aren't known if the unit isn't in Swift, or if the
      /// debug information of several units refers to one line program.
      var addresses: Addresses?
    }

    private enum Addresses {
      case range(Range<UInt>)
      /// The offset of a list of ranges, which are relative to `base`.
      case list(Int, base: UInt)
    }

    private let file: ElfFile
    private let isInTime: () -> Bool
    private(set) lazy var info = file.contents(".debug_info")
    private(set) lazy var abbreviations = file.contents(".debug_abbrev")
    private lazy var ranges = file.contents(".debug_ranges")
    /// The units by the offsets of their line programs.
    private lazy var units = findUnits()

    init(_ file: ElfFile, isInTime: @escaping () -> Bool) {
      self.file = file
      self.isInTime = isInTime
    }

    /// Returns the offset of the unit with a line program, or nil if its version isn't supported.
    func start(ofUnitWith lines: Int) -> Int? { units[lines]?.start }

    /// Returns whether the unit with a line program can have code in a range for which `isWanted`
    /// returns true. A unit whose ranges aren't known can have such code.
    func canHaveCode(inUnitWith lines: Int, where isWanted: (Range<UInt>) -> Bool) -> Bool {
      switch units[lines]?.addresses {
      case nil: return true
      case .range(let range): return isWanted(range)
      case .list(let offset, let base):
        var isFound = false
        let isComplete = visitRanges(at: offset, base) { range in
          isFound = isFound || isWanted(range)
        }
        return isFound || !isComplete
      }
    }

    private func findUnits() -> [Int: Unit] {
      info.withUnsafeBytes { info in
        abbreviations.withUnsafeBytes { findUnits(info, $0) }
      }
    }

    private func findUnits(
      _ info: UnsafeRawBufferPointer, _ abbreviations: UnsafeRawBufferPointer
    ) -> [Int: Unit] {
      var units: [Int: Unit] = [:]
      var position = 0
      // Units of the same object file share their forms.
      var last: (table: Int, code: UInt64, form: DebugEntry.Form)?
      while isInTime(), let unit = DebugUnit(info, at: position) {
        position = unit.next
        guard unit.isSupported else { continue }
        var cursor = unit.cursor
        let code = cursor.unsigned()
        if last?.table != unit.abbreviations || last?.code != code {
          last = DebugEntry.Form(abbreviations, at: unit.abbreviations, code: code).map {
            (unit.abbreviations, code, $0)
          }
        }
        guard let form = last?.form else { continue }
        let entry = DebugEntry(form, &cursor, unit)
        guard let lines = entry.lines else { continue }
        // The ranges of other compilers and of assemblers aren't always complete after linking:
        // gold ends the list of a unit at a removed function, and version 2 doesn't have lists.
        let isKnown = entry.isSwift && unit.version > 2 && units[lines] == nil
        units[lines] = Unit(
          start: unit.start, addresses: isKnown ? Self.addresses(of: entry) : nil)
      }
      return units
    }

    private static func addresses(of entry: DebugEntry) -> Addresses? {
      if let offset = entry.ranges { return .list(offset, base: entry.low) }
      return entry.low < entry.high ? .range(entry.low..<entry.high) : nil
    }

    /// Calls `body` with each range of addresses of an entry. `base` is the first address of its
    /// unit.
    func visitRanges(of entry: DebugEntry, _ base: UInt, _ body: (Range<UInt>) -> Void) {
      if let offset = entry.ranges {
        _ = visitRanges(at: offset, base, body)
      } else if entry.low < entry.high {
        body(entry.low..<entry.high)
      }
    }

    private func visitRanges(
      at offset: Int, _ unitBase: UInt, _ body: (Range<UInt>) -> Void
    ) -> Bool {
      ranges.withUnsafeBytes {
        Self.visitRanges($0, at: offset, unitBase, isInTime: isInTime, body)
      }
    }

    /// Calls `body` with each range of a list. Returns false if the section or the time ends before
    /// the list, or if the list may continue after two zeros: a linker that removes an empty
    /// function can leave them instead of its range, and the ranges of other removed functions then
    /// begin at zero.
    static func visitRanges(
      _ section: UnsafeRawBufferPointer, at offset: Int, _ unitBase: UInt,
      isInTime: () -> Bool = { true }, _ body: (Range<UInt>) -> Void
    ) -> Bool {
      var cursor = ByteCursor(section, from: offset)
      var base = unitBase
      var isEmpty = true
      var hasRemoved = false
      var count = 0
      while !cursor.isAtEnd {
        // Many entries can have the same long list.
        count += 1
        if count % 4096 == 0, !isInTime() { return false }
        let (low, high) = (UInt(cursor.number(8)), UInt(cursor.number(8)))
        if low == 0, high == 0 { return !isEmpty && !hasRemoved }
        if low == .max {
          base = high
          continue
        }
        isEmpty = false
        if base &+ low == 0 { hasRemoved = true }
        if low < high, base &+ low < base &+ high {
          body(base &+ low..<base &+ high)
        }
      }
      return false
    }
  }
#endif
