import TraceFormat

#if os(Linux)
  /// The calls that the compiler replaced by the code of the called functions (DWARF, version 4, in
  /// `.debug_info`).
  ///
  /// In optimized code, a call of `observeNext` leaves only lines of this package at its address.
  /// The line of the call itself is here.
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
      var units: [Int: Int] = [:]
      info.withUnsafeBytes { info in
        abbreviations.withUnsafeBytes { abbreviations in
          var position = 0
          while isInTime(), let unit = DebugUnit(info, at: position) {
            position = unit.next
            guard unit.isSupported else { continue }
            var cursor = unit.cursor
            let root = DebugEntry.Form(
              abbreviations, at: unit.abbreviations, code: cursor.unsigned())
            guard let root else { continue }
            let entry = DebugEntry(root, &cursor, unit)
            if let lines = entry.lines { units[lines] = unit.start }
          }
        }
      }
      return units
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
          // Nothing can be read after an entry of unknown form.
          guard let form = forms[code] else { return }
          let entry = DebugEntry(form, &cursor, unit)
          if count == 1 { base = entry.low }
          guard form.isInlinedCall else { continue }
          visit(entry, base) { range in
            var index = addresses.firstIndex(notBelow: range.lowerBound) { $0 }
            while index < addresses.count, addresses[index] < range.upperBound {
              // Entries come after those that contain them.
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

  /// The header of a compiled unit.
  private struct DebugUnit {
    let start: Int
    let next: Int
    let abbreviations: Int
    let offsetSize: Int
    /// A cursor at the first entry, which ends with the unit.
    let cursor: ByteCursor
    /// True if the version is one that is read here.
    let isSupported: Bool

    /// Reads a header. Returns nil at the end of the section.
    init?(_ info: UnsafeRawBufferPointer, at start: Int) {
      var cursor = ByteCursor(info, from: start)
      var length = cursor.integer(4)
      offsetSize = length == 0xFFFF_FFFF ? 8 : 4
      if offsetSize == 8 { length = cursor.integer(8) }
      guard length > 0, length <= cursor.end - cursor.position else { return nil }
      self.start = start
      next = cursor.position + length
      cursor.limit(to: next)
      let version = cursor.integer(2)
      abbreviations = cursor.integer(offsetSize)
      isSupported = 2...4 ~= version && cursor.byte() == 8
      self.cursor = cursor
    }
  }

  /// One entry of a compiled unit, as far as it matters here.
  private struct DebugEntry {
    /// The form of entries, which many of them share.
    struct Form {
      var isInlinedCall = false
      var attributes: [(name: UInt64, form: UInt64)] = []

      /// Finds the form with a code in the table at an offset.
      init?(_ table: UnsafeRawBufferPointer, at offset: Int, code: UInt64) {
        var cursor = ByteCursor(table, from: offset)
        while let (known, form) = Form.next(&cursor) {
          if known == code {
            self = form
            return
          }
        }
        return nil
      }

      private init() {}

      static func next(_ cursor: inout ByteCursor) -> (code: UInt64, form: Form)? {
        let code = cursor.unsigned()
        guard code != 0 else { return nil }
        var form = Form()
        form.isInlinedCall = cursor.unsigned() == 0x1D
        cursor.skip(1)
        while !cursor.isAtEnd {
          let (name, kind) = (cursor.unsigned(), cursor.unsigned())
          if name == 0, kind == 0 { break }
          // The value is here instead of in the entries.
          if kind == 0x21 { _ = cursor.signed() }
          form.attributes.append((name, kind))
        }
        return (code, form)
      }
    }

    static func forms(_ table: UnsafeRawBufferPointer, at offset: Int) -> [UInt64: Form] {
      var forms: [UInt64: Form] = [:]
      var cursor = ByteCursor(table, from: offset)
      while let (code, form) = Form.next(&cursor) { forms[code] = form }
      return forms
    }

    private(set) var low: UInt = 0
    private(set) var high: UInt = 0
    /// The offset of the ranges of addresses, if there are several.
    private(set) var ranges: Int?
    /// The offset of the line program.
    private(set) var lines: Int?
    private(set) var call = InlinedCalls.Call()

    init(_ form: Form, _ cursor: inout ByteCursor, _ unit: DebugUnit) {
      for (name, kind) in form.attributes {
        let value = Self.value(kind, &cursor, unit)
        switch name {
        case 0x10: lines = Int(truncatingIfNeeded: value)
        case 0x11: low = UInt(truncatingIfNeeded: value)
        // The end is an address, or the distance from the start.
        case 0x12:
          let isAddress = kind == 1
          high =
            isAddress ? UInt(truncatingIfNeeded: value) : low &+ UInt(truncatingIfNeeded: value)
        case 0x55: ranges = Int(truncatingIfNeeded: value)
        case 0x58: call.file = Int(truncatingIfNeeded: value)
        case 0x59: call.line = Int(truncatingIfNeeded: value)
        default: break
        }
      }
    }

    /// Reads a value, which is 0 if it is no number.
    private static func value(
      _ form: UInt64, _ cursor: inout ByteCursor, _ unit: DebugUnit
    ) -> UInt64 {
      switch form {
      case 0x01, 0x07, 0x14, 0x20: return cursor.number(8)
      case 0x0B, 0x0C, 0x11: return cursor.number(1)
      case 0x05, 0x12: return cursor.number(2)
      case 0x06, 0x13: return cursor.number(4)
      case 0x0E, 0x10, 0x17, 0x1F20, 0x1F21: return cursor.number(unit.offsetSize)
      case 0x0F, 0x15, 0x1F01, 0x1F02: return cursor.unsigned()
      case 0x0D: return UInt64(bitPattern: cursor.signed())
      case 0x19, 0x21: return 0
      case 0x08: cursor.skipText()
      case 0x03: cursor.skip(cursor.integer(2))
      case 0x04: cursor.skip(cursor.integer(4))
      case 0x0A: cursor.skip(cursor.integer(1))
      case 0x09, 0x18: cursor.skip(Int(truncatingIfNeeded: cursor.unsigned()))
      // The size is unknown, so nothing after it can be read.
      default: cursor.move(to: cursor.end)
      }
      return 0
    }
  }
#endif
