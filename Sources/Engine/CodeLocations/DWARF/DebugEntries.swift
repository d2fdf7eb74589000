#if os(Linux)
  /// The header of a compiled unit.
  struct DebugUnit {
    let start: Int
    let next: Int
    let version: Int
    let abbreviations: Int
    let offsetSize: Int
    /// A cursor from the first entry to the end of the unit.
    let cursor: ByteCursor
    /// A Boolean value that indicates whether the version and the address size are supported.
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
      version = cursor.integer(2)
      abbreviations = cursor.integer(offsetSize)
      isSupported = 2...4 ~= version && cursor.byte() == 8
      self.cursor = cursor
    }
  }

  /// One entry of a compiled unit, with the attributes that are needed here.
  struct DebugEntry {
    /// The kinds of entries that are needed here (DWARF, `DW_TAG`).
    enum Tag {
      static let parameter: UInt64 = 0x05
      static let inlinedCall: UInt64 = 0x1D
      static let function: UInt64 = 0x2E
      static let constant: UInt64 = 0x26
    }

    /// The form of an entry (a DWARF abbreviation), which many entries share.
    struct Form {
      var tag: UInt64 = 0
      /// A Boolean value that indicates whether child entries follow.
      var hasChildren = false
      var isInlinedCall: Bool { tag == Tag.inlinedCall }
      var attributes: [(name: UInt64, form: UInt64)] = []
      /// The maximum number of attributes. Some don't have bytes in an entry, so without a limit, a
      /// single byte of a file could take any time.
      private static let maxAttributes = 256

      /// Finds the form with a code in the table at an offset.
      init?(_ table: UnsafeRawBufferPointer, at offset: Int, code: UInt64) {
        var cursor = ByteCursor(table, from: offset)
        while true {
          let start = cursor.position
          let known = cursor.unsigned()
          guard known != 0 else { return nil }
          if known == code {
            cursor.move(to: start)
            break
          }
          Form.skip(&cursor)
        }
        guard let (_, form) = Form.next(&cursor) else { return nil }
        self = form
      }

      /// Skips a form whose code was read.
      private static func skip(_ cursor: inout ByteCursor) {
        _ = cursor.unsigned()
        cursor.skip(1)
        while !cursor.isAtEnd {
          let (name, kind) = (cursor.unsigned(), cursor.unsigned())
          if name == 0, kind == 0 { break }
          if kind == 0x21 { _ = cursor.signed() }
        }
      }

      private init() {}

      static func next(_ cursor: inout ByteCursor) -> (code: UInt64, form: Form)? {
        let code = cursor.unsigned()
        guard code != 0 else { return nil }
        var form = Form()
        form.tag = cursor.unsigned()
        form.hasChildren = cursor.byte() == 1
        while !cursor.isAtEnd {
          let (name, kind) = (cursor.unsigned(), cursor.unsigned())
          if name == 0, kind == 0 { break }
          // The value is here instead of in the entries.
          if kind == 0x21 { _ = cursor.signed() }
          guard form.attributes.count < maxAttributes else { return nil }
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
    /// A Boolean value that indicates whether the entry is a unit in Swift (`DW_LANG_Swift`).
    private(set) var isSwift = false
    private(set) var call = InlinedCalls.Call()
    /// The line where a function begins, and the number of its file.
    private(set) var declaration = InlinedCalls.Call()
    private(set) var name: Name?
    /// The offset in the string section of the symbol of a function.
    private(set) var symbol: Int?
    /// The offset in the section of an entry with more information about the same function or
    /// variable.
    private(set) var origin: Int?
    /// The offset in the section of the type of a variable.
    private(set) var type: Int?

    /// A name in the entry, or its offset in the string section.
    enum Name: Equatable {
      case text(String)
      case offset(Int)
    }

    init(_ form: Form, _ cursor: inout ByteCursor, _ unit: DebugUnit) {
      for (name, kind) in form.attributes {
        if name == 0x03, kind == 0x08 {
          self.name = .text(cursor.text())
          continue
        }
        let value = Self.value(kind, &cursor, unit)
        switch name {
        case 0x03: if kind == 0x0E { self.name = .offset(Int(truncatingIfNeeded: value)) }
        // Offsets of entries count from the start of the unit, except for one form.
        case 0x31, 0x47, 0x49:
          let start = kind == 0x10 ? 0 : unit.start
          let offset = start + Int(truncatingIfNeeded: value & 0xFFFF_FFFF_FFFF)
          if name == 0x49 { type = offset } else { origin = offset }
        case 0x6E: if kind == 0x0E { symbol = Int(truncatingIfNeeded: value) }
        case 0x3A: declaration.file = Int(truncatingIfNeeded: value)
        case 0x3B: declaration.line = Int(truncatingIfNeeded: value)
        case 0x10: lines = Int(truncatingIfNeeded: value)
        case 0x13: isSwift = value == 0x1E
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

    /// Reads a value. Returns 0 if it isn't a number.
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
