import SystemLibrary

#if os(Linux)
  /// The source lines where functions begin, and the names of their parameters (DWARF, version 4,
  /// in `.debug_info`).
  ///
  /// The captured values of a closure are the last parameters of its function.
  final class FunctionDescriptions {
    struct Description: Equatable {
      /// The number of the file, and the line. Both are 0 if they aren't known.
      var place = InlinedCalls.Call()
      var parameters: [CodeFunction.Parameter] = []
    }

    private let file: ElfFile
    private let isInTime: () -> Bool
    /// The addresses in the file where the functions begin.
    private let addresses: Set<UInt>
    private let units: DebugUnits
    private var known: [Int: [UInt: Description]] = [:]

    init(
      _ file: ElfFile, _ units: DebugUnits, _ addresses: Set<UInt>,
      isInTime: @escaping () -> Bool
    ) {
      self.file = file
      self.units = units
      self.addresses = addresses
      self.isInTime = isInTime
    }

    /// Returns the description of the function at an address. `unit` is the offset of the line
    /// program for the address.
    func description(at address: UInt, in unit: Int) -> Description? {
      if known[unit] == nil { known[unit] = units.start(ofUnitWith: unit).map { read($0) } ?? [:] }
      return known[unit]?[address]
    }

    private func read(_ start: Int) -> [UInt: Description] {
      units.info.withUnsafeBytes { info in
        units.abbreviations.withUnsafeBytes { abbreviations in
          guard let unit = DebugUnit(info, at: start) else { return [:] }
          let reader = UnitReader(
            unit: unit, info: info, forms: DebugEntry.forms(abbreviations, at: unit.abbreviations),
            isInTime: isInTime
          ) { self.file.text(in: ".debug_str", at: $0) }
          return reader.descriptions(of: addresses)
        }
      }
    }
  }

  /// Reads the functions of one unit.
  private struct UnitReader {
    let unit: DebugUnit
    let info: UnsafeRawBufferPointer
    let forms: [UInt64: DebugEntry.Form]
    let isInTime: () -> Bool
    let text: (Int) -> String

    /// A function with its direct children in the section.
    private struct Function {
      var entry: DebugEntry
      var parameters: [DebugEntry] = []
      var inlined: [DebugEntry] = []
    }

    func descriptions(of addresses: Set<UInt>) -> [UInt: FunctionDescriptions.Description] {
      var found: [UInt: FunctionDescriptions.Description] = [:]
      var cursor = unit.cursor
      var count = 0
      while !cursor.isAtEnd {
        count += 1
        if count % 4096 == 0, !isInTime() { break }
        let offset = cursor.position
        let code = cursor.unsigned()
        guard code != 0 else { continue }
        // Entries after an entry with an unknown form can't be read.
        guard let form = forms[code] else { break }
        let entry = DebugEntry(form, &cursor, unit)
        guard form.tag == DebugEntry.Tag.function, addresses.contains(entry.low), entry.low != 0
        else { continue }
        found[entry.low] = describe(at: offset)
      }
      return found
    }

    private func describe(at offset: Int) -> FunctionDescriptions.Description {
      guard var function = function(at: offset) else { return .init() }
      // The function of a closure can be inlined into the function that forwards captured values.
      if function.parameters.isEmpty, function.entry.declaration.line == 0,
        function.entry.origin == nil, let origin = function.inlined.first?.origin,
        let body = self.function(at: origin)
      {
        function = body
      }
      var place = function.entry.declaration
      if place.line == 0, let origin = function.entry.origin, let entry = entry(at: origin)?.entry {
        place = entry.declaration
      }
      return .init(place: place, parameters: function.parameters.map(parameter))
    }

    /// Returns a parameter. Its name is empty if the debug information doesn't contain one.
    private func parameter(_ parameter: DebugEntry) -> CodeFunction.Parameter {
      var entry = parameter
      if entry.name == nil, let origin = entry.origin, let whole = self.entry(at: origin) {
        entry = whole.entry
      }
      let name =
        switch entry.name {
        case .text(let text): text
        case .offset(let offset): text(offset)
        case nil: ""
        }
      // The compiler describes an immutable value as a constant.
      let tag = entry.type.flatMap { self.entry(at: $0)?.form.tag }
      return .init(name: name, isVariable: tag != nil && tag != DebugEntry.Tag.constant)
    }

    private func entry(
      at offset: Int
    ) -> (entry: DebugEntry, form: DebugEntry.Form, end: ByteCursor)? {
      guard offset >= unit.cursor.position, offset < unit.next else { return nil }
      var cursor = unit.cursor
      cursor.move(to: offset)
      guard let form = forms[cursor.unsigned()] else { return nil }
      let entry = DebugEntry(form, &cursor, unit)
      return (entry, form, cursor)
    }

    private func function(at offset: Int) -> Function? {
      guard let (entry, form, end) = entry(at: offset) else { return nil }
      var function = Function(entry: entry)
      guard form.hasChildren else { return function }
      var cursor = end
      var depth = 1
      var count = 0
      while depth > 0, !cursor.isAtEnd {
        // Functions can contain each other.
        if count % 4096 == 0, !isInTime() { break }
        count += 1
        let code = cursor.unsigned()
        guard code != 0 else {
          depth -= 1
          continue
        }
        guard let form = forms[code] else { break }
        let part = DebugEntry(form, &cursor, unit)
        if depth == 1 {
          switch form.tag {
          case DebugEntry.Tag.parameter: function.parameters.append(part)
          case DebugEntry.Tag.inlinedCall: function.inlined.append(part)
          default: break
          }
        }
        if form.hasChildren { depth += 1 }
      }
      return function
    }
  }
#endif
