#if os(Linux)
  /// The rules by which the registers of a caller are found, for the code of one file
  /// (`.eh_frame`: Linux Standard Base Core, "Exception Frames"; DWARF 5, section 6.4).
  ///
  /// The C libraries and most other C code don't keep frame pointers, so these rules are the only
  /// way to walk through their frames.
  package final class UnwindTable {
    /// The place of a saved value, relative to the canonical frame address (CFA).
    package enum Rule: Equatable, Sendable {
      /// The value isn't known in the caller.
      case undefined
      /// In memory at an offset from the CFA.
      case saved(Int)
      /// The CFA plus an offset.
      case offset(Int)
      case register(Int)
      /// In memory at the address that an expression computes.
      case savedAt(Expression)
      /// The value that an expression computes.
      case value(Expression)
    }

    /// The canonical frame address: the stack pointer of the caller before the call.
    package enum FrameAddress: Equatable, Sendable {
      case register(Int, offset: Int)
      case value(Expression)
    }

    /// The range of the bytes of an expression in the section.
    package struct Expression: Equatable, Sendable {
      let start: Int
      let end: Int
    }

    /// The rules at one address.
    package struct Row: Equatable, Sendable {
      package var frameAddress: FrameAddress
      /// The rules by the numbers of the registers. A register without a rule has the same value in
      /// the caller.
      package var rules: [Int: Rule] = [:]
      package var returnRegister = 0
      /// A Boolean value that indicates whether a signal interrupted the caller. In that case, its
      /// address isn't a return address.
      package var isSignalFrame = false
    }

    private let frames: [UInt8]
    private let framesAddress: Int
    private let index: [UInt8]
    private let indexAddress: Int

    /// Reads the tables of a file. Returns nil if the file has no tables with a sorted index.
    package init?(_ file: ElfFile) {
      guard let frames = file.addressedContents(".eh_frame"),
        let index = file.addressedContents(".eh_frame_hdr"), index.bytes.count > Self.firstEntry,
        Array(index.bytes[..<4]) == Self.sortedIndex
      else { return nil }
      self.frames = frames.bytes
      framesAddress = frames.address
      self.index = index.bytes
      indexAddress = index.address
    }

    /// The first bytes of the index that all linkers write: version 1, a relative address with
    /// four bytes, a count with four bytes, and pairs of addresses relative to the index.
    private static let sortedIndex: [UInt8] = [1, 0x1B, 3, 0x3B]
    private static let firstEntry = 12
    private static let entrySize = 8

    /// Returns the rules at an address in the file, or nil if it has no rules.
    package func row(at address: UInt) -> Row? {
      guard let position = entry(for: address) else { return nil }
      return frames.withUnsafeBytes { bytes in
        guard let function = FunctionEntry(bytes, at: position, sectionAddress: framesAddress),
          function.start <= address, address < function.end
        else { return nil }
        var program = RowProgram(bytes, function)
        return program.row(at: address)
      }
    }

    /// Returns the start of the function that contains an address in the file, or nil if it isn't
    /// known.
    package func functionStart(at address: UInt) -> UInt? {
      guard let position = entry(for: address) else { return nil }
      return frames.withUnsafeBytes { bytes in
        guard let function = FunctionEntry(bytes, at: position, sectionAddress: framesAddress),
          function.start <= address, address < function.end
        else { return nil }
        return function.start
      }
    }

    /// Returns the offset of the last entry whose function begins at or before an address.
    private func entry(for address: UInt) -> Int? {
      index.withUnsafeBytes { bytes in
        var count = ByteCursor(bytes, from: 8)
        var (low, high) = (0, min(count.integer(4), (bytes.count - Self.firstEntry) / 8))
        func value(_ entry: Int, _ offset: Int) -> Int {
          var cursor = ByteCursor(bytes, from: Self.firstEntry + entry * Self.entrySize + offset)
          let relative = Int32(truncatingIfNeeded: cursor.number(4))
          return indexAddress &+ Int(relative)
        }
        guard let wanted = Int(exactly: address) else { return nil }
        while low < high {
          let middle = (low + high) / 2
          if value(middle, 0) <= wanted { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let position = value(low - 1, 4) &- framesAddress
        return position >= 0 && position < frames.count ? position : nil
      }
    }

    /// Computes an expression. `register` and `word` return the value of a register, and the word
    /// at an address in memory. `initial` is the value on the stack at the start.
    package func value(
      of expression: Expression, initial: UInt?, register: (Int) -> UInt?, word: (UInt) -> UInt?
    ) -> UInt? {
      frames.withUnsafeBytes { bytes in
        var machine = ExpressionMachine(stack: initial.map { [$0] } ?? [])
        return machine.run(bytes, expression, register: register, word: word)
      }
    }
  }

  /// The description of one function: the common part (CIE), and the function's own part (FDE).
  struct FunctionEntry {
    let start: UInt
    let end: UInt
    let codeAlignment: Int
    let dataAlignment: Int
    let returnRegister: Int
    let isSignalFrame: Bool
    let commonInstructions: Range<Int>
    let instructions: Range<Int>

    init?(_ bytes: UnsafeRawBufferPointer, at position: Int, sectionAddress: Int) {
      var cursor = ByteCursor(bytes, from: position)
      guard let end = Self.end(&cursor) else { return nil }
      let common = cursor.position
      let distance = cursor.integer(4)
      guard distance != 0, let shared = Common(bytes, at: common - distance) else { return nil }
      codeAlignment = shared.codeAlignment
      dataAlignment = shared.dataAlignment
      returnRegister = shared.returnRegister
      isSignalFrame = shared.isSignalFrame
      commonInstructions = shared.instructions
      guard let start = Self.pointer(&cursor, shared.encoding, sectionAddress),
        // The length has the format of the address, but isn't relative to anything.
        let length = Self.pointer(&cursor, shared.encoding & 0xF, 0)
      else { return nil }
      self.start = start
      self.end = start &+ length
      if shared.hasAugmentation {
        let count = cursor.unsigned()
        guard count < bytes.count else { return nil }
        cursor.skip(Int(count))
      }
      guard cursor.position <= end else { return nil }
      instructions = cursor.position..<end
    }

    /// Reads the length at the start of an entry. Returns the offset of the entry's end.
    private static func end(_ cursor: inout ByteCursor) -> Int? {
      let length = cursor.integer(4)
      // Entries that are longer than 4 GB don't occur in code.
      guard length > 0, length < 0xFFFF_FFF0, length <= cursor.end - cursor.position else {
        return nil
      }
      return cursor.position + length
    }

    /// Reads an encoded pointer (`DW_EH_PE`): a format in the lower four bits, and what it is
    /// relative to.
    private static func pointer(
      _ cursor: inout ByteCursor, _ encoding: UInt8, _ sectionAddress: Int
    ) -> UInt? {
      let place = sectionAddress &+ cursor.position
      let value: Int
      switch encoding & 0xF {
      case 0, 4, 0xC: value = cursor.integer(8)
      case 1: value = Int(truncatingIfNeeded: cursor.unsigned())
      case 2: value = cursor.integer(2)
      case 3: value = cursor.integer(4)
      case 9: value = Int(truncatingIfNeeded: cursor.signed())
      case 0xA: value = Int(Int16(truncatingIfNeeded: cursor.number(2)))
      case 0xB: value = Int(Int32(truncatingIfNeeded: cursor.number(4)))
      default: return nil
      }
      switch encoding & 0x70 {
      case 0: return UInt(bitPattern: value)
      case 0x10: return UInt(bitPattern: place &+ value)
      default: return nil
      }
    }

    /// The part that many functions share.
    private struct Common {
      var codeAlignment = 1
      var dataAlignment = 1
      var returnRegister = 0
      var encoding: UInt8 = 0
      var hasAugmentation = false
      var isSignalFrame = false
      var instructions = 0..<0

      init?(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        guard position >= 0 else { return nil }
        var cursor = ByteCursor(bytes, from: position)
        guard let end = FunctionEntry.end(&cursor), cursor.integer(4) == 0 else { return nil }
        let version = cursor.byte()
        guard version == 1 || version == 3 else { return nil }
        let augmentation = Array(cursor.text().utf8)
        codeAlignment = Int(truncatingIfNeeded: cursor.unsigned())
        dataAlignment = Int(truncatingIfNeeded: cursor.signed())
        returnRegister =
          version == 1 ? Int(cursor.byte()) : Int(truncatingIfNeeded: cursor.unsigned())
        if augmentation.first == UInt8(ascii: "z") {
          hasAugmentation = true
          let count = Int(truncatingIfNeeded: cursor.unsigned())
          guard count >= 0, count <= end - cursor.position else { return nil }
          let next = cursor.position + count
          for letter in augmentation.dropFirst() {
            switch letter {
            case UInt8(ascii: "R"): encoding = cursor.byte()
            case UInt8(ascii: "L"): _ = cursor.byte()
            case UInt8(ascii: "P"):
              // Only the size of the address of the personality function matters.
              let encoding = cursor.byte()
              guard FunctionEntry.pointer(&cursor, encoding & 0xF, 0) != nil else { return nil }
            case UInt8(ascii: "S"): isSignalFrame = true
            default: break
            }
          }
          cursor.move(to: next)
        } else if !augmentation.isEmpty {
          return nil
        }
        guard cursor.position <= end else { return nil }
        instructions = cursor.position..<end
      }
    }
  }

  /// The instructions that describe how the rules change from one address to the next.
  fileprivate struct RowProgram {
    fileprivate typealias Row = UnwindTable.Row
    private static let maxStates = 64
    /// The maximum number of registers with rules. Processors have fewer, but the instructions can
    /// contain any number.
    private static let maxRules = 256

    private let bytes: UnsafeRawBufferPointer
    private let function: FunctionEntry
    private var address: UInt
    private var current: Row
    /// The rules at the start of the function.
    private var initial: Row
    private var states: [Row] = []

    init(_ bytes: UnsafeRawBufferPointer, _ function: FunctionEntry) {
      self.bytes = bytes
      self.function = function
      address = function.start
      current = Row(
        frameAddress: .register(0, offset: 0), returnRegister: function.returnRegister,
        isSignalFrame: function.isSignalFrame)
      initial = current
    }

    /// Returns the rules at an address, or nil if an instruction is unknown.
    mutating func row(at wanted: UInt) -> Row? {
      guard run(function.commonInstructions, until: .max) else { return nil }
      initial = current
      return run(function.instructions, until: wanted) ? current : nil
    }

    private mutating func run(_ range: Range<Int>, until wanted: UInt) -> Bool {
      var cursor = ByteCursor(bytes, from: range.lowerBound)
      cursor.limit(to: range.upperBound)
      while !cursor.isAtEnd {
        guard current.rules.count <= Self.maxRules else { return false }
        let code = cursor.byte()
        let low = Int(code & 0x3F)
        switch code >> 6 {
        case 1:
          guard advance(low, until: wanted) else { return true }
        case 2: current.rules[low] = .saved(offset(&cursor))
        case 3: current.rules[low] = initial.rules[low]
        default:
          switch step(code, &cursor, until: wanted) {
          case .next: break
          case .reached: return true
          case .unknown: return false
          }
        }
      }
      return true
    }

    fileprivate enum Step { case next, reached, unknown }

    fileprivate mutating func step(
      _ code: UInt8, _ cursor: inout ByteCursor, until wanted: UInt
    ) -> Step {
      switch code {
      case 0: break
      case 2: return advance(cursor.integer(1), until: wanted) ? .next : .reached
      case 3: return advance(cursor.integer(2), until: wanted) ? .next : .reached
      case 4: return advance(cursor.integer(4), until: wanted) ? .next : .reached
      case 5: current.rules[number(&cursor)] = .saved(offset(&cursor))
      case 6:
        let register = number(&cursor)
        current.rules[register] = initial.rules[register]
      case 7: current.rules[number(&cursor)] = .undefined
      case 8: current.rules[number(&cursor)] = nil
      case 9: current.rules[number(&cursor)] = .register(number(&cursor))
      case 0xA:
        guard states.count < Self.maxStates else { return .unknown }
        states.append(current)
      case 0xB:
        guard let last = states.popLast() else { return .unknown }
        current = last
      case 0xC: current.frameAddress = .register(number(&cursor), offset: number(&cursor))
      case 0xD:
        guard case .register(_, let offset) = current.frameAddress else { return .unknown }
        current.frameAddress = .register(number(&cursor), offset: offset)
      case 0xE:
        guard case .register(let register, _) = current.frameAddress else { return .unknown }
        current.frameAddress = .register(register, offset: number(&cursor))
      case 0xF: current.frameAddress = .value(expression(&cursor))
      case 0x10: current.rules[number(&cursor)] = .savedAt(expression(&cursor))
      case 0x11: current.rules[number(&cursor)] = .saved(signedOffset(&cursor))
      case 0x12: current.frameAddress = .register(number(&cursor), offset: signedOffset(&cursor))
      case 0x13:
        guard case .register(let register, _) = current.frameAddress else { return .unknown }
        current.frameAddress = .register(register, offset: signedOffset(&cursor))
      case 0x14: current.rules[number(&cursor)] = .offset(offset(&cursor))
      case 0x15: current.rules[number(&cursor)] = .offset(signedOffset(&cursor))
      case 0x16: current.rules[number(&cursor)] = .value(expression(&cursor))
      // The return address is signed from here on, or no longer (Arm). The signature is removed
      // from every address.
      case 0x2D: break
      // The size of the arguments on the stack (GNU) doesn't matter for other registers.
      case 0x2E: _ = cursor.unsigned()
      default: return .unknown
      }
      return .next
    }

    /// Moves to a later address. Returns whether the wanted address isn't reached.
    private mutating func advance(_ count: Int, until wanted: UInt) -> Bool {
      let next = address &+ UInt(bitPattern: count &* function.codeAlignment)
      guard next <= wanted else { return false }
      address = next
      return true
    }

    private func number(_ cursor: inout ByteCursor) -> Int {
      Int(truncatingIfNeeded: cursor.unsigned())
    }

    private func offset(_ cursor: inout ByteCursor) -> Int {
      number(&cursor) &* function.dataAlignment
    }

    private func signedOffset(_ cursor: inout ByteCursor) -> Int {
      Int(truncatingIfNeeded: cursor.signed()) &* function.dataAlignment
    }

    private func expression(_ cursor: inout ByteCursor) -> UnwindTable.Expression {
      let count = number(&cursor)
      let start = cursor.position
      cursor.skip(count)
      return .init(start: start, end: cursor.position)
    }
  }

  /// A stack machine for the expressions of DWARF, with the operations that occur in rules.
  private struct ExpressionMachine {
    private static let maxSteps = 1000
    var stack: [UInt]

    mutating func run(
      _ bytes: UnsafeRawBufferPointer, _ expression: UnwindTable.Expression,
      register: (Int) -> UInt?, word: (UInt) -> UInt?
    ) -> UInt? {
      var cursor = ByteCursor(bytes, from: expression.start)
      cursor.limit(to: expression.end)
      for _ in 0..<Self.maxSteps {
        guard !cursor.isAtEnd else { return stack.last }
        let code = cursor.byte()
        switch code {
        case 0x06:
          guard let address = stack.popLast(), let value = word(address) else { return nil }
          stack.append(value)
        case 0x08: push(cursor.integer(1))
        case 0x09: push(Int(Int8(truncatingIfNeeded: cursor.number(1))))
        case 0x0A: push(cursor.integer(2))
        case 0x0B: push(Int(Int16(truncatingIfNeeded: cursor.number(2))))
        case 0x0C: push(cursor.integer(4))
        case 0x0D: push(Int(Int32(truncatingIfNeeded: cursor.number(4))))
        case 0x0E, 0x0F: push(cursor.integer(8))
        case 0x10: push(Int(truncatingIfNeeded: cursor.unsigned()))
        case 0x11: push(Int(truncatingIfNeeded: cursor.signed()))
        case 0x12:
          guard let last = stack.last else { return nil }
          stack.append(last)
        case 0x13:
          guard stack.popLast() != nil else { return nil }
        case 0x23:
          let addend = UInt(truncatingIfNeeded: cursor.unsigned())
          guard let value = stack.popLast() else { return nil }
          stack.append(value &+ addend)
        case 0x1A, 0x1C, 0x1E, 0x21, 0x22, 0x24, 0x25, 0x27, 0x29...0x2E:
          guard let right = stack.popLast(), let left = stack.popLast() else { return nil }
          stack.append(Self.result(code, left, right))
        case 0x30...0x4F: push(Int(code) - 0x30)
        case 0x70...0x8F:
          let offset = Int(truncatingIfNeeded: cursor.signed())
          guard let value = register(Int(code) - 0x70) else { return nil }
          stack.append(value &+ UInt(bitPattern: offset))
        case 0x96: break
        default: return nil
        }
      }
      return nil
    }

    private mutating func push(_ value: Int) { stack.append(UInt(bitPattern: value)) }

    private static func result(_ code: UInt8, _ left: UInt, _ right: UInt) -> UInt {
      let (first, second) = (Int(bitPattern: left), Int(bitPattern: right))
      return switch code {
      case 0x1A: left & right
      case 0x1C: left &- right
      case 0x1E: left &* right
      case 0x21: left | right
      case 0x22: left &+ right
      case 0x24: left << right
      case 0x25: left >> right
      case 0x27: left ^ right
      case 0x29: first == second ? 1 : 0
      case 0x2A: first >= second ? 1 : 0
      case 0x2B: first > second ? 1 : 0
      case 0x2C: first <= second ? 1 : 0
      case 0x2D: first < second ? 1 : 0
      default: first != second ? 1 : 0
      }
    }
  }
#endif
