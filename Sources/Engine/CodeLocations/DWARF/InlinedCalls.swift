import SwiftRuntime

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
      /// The symbol of the function that is called, or an empty string if it isn't known.
      var symbol = ""
    }

    private let file: ElfFile
    private let isInTime: () -> Bool
    /// The addresses to find calls for, in ascending order.
    private let addresses: [UInt]
    private let units: DebugUnits
    private var known: [Int: [UInt: [Call]]] = [:]
    /// The maximum number of inlined calls around one address. A damaged file can have any number.
    private static let maxDepth = 1024

    init(
      _ file: ElfFile, _ units: DebugUnits, _ addresses: [UInt], isInTime: @escaping () -> Bool
    ) {
      self.file = file
      self.units = units
      self.addresses = addresses
      self.isInTime = isInTime
    }

    /// Returns the calls whose code is at an address, the innermost first. `unit` is the offset of
    /// the line program for the address.
    func calls(at address: UInt, in unit: Int) -> [Call] {
      if known[unit] == nil { known[unit] = units.start(ofUnitWith: unit).map { read($0) } ?? [:] }
      return known[unit]?[address] ?? []
    }

    /// Returns the calls at all addresses that are in a unit.
    private func read(_ start: Int) -> [UInt: [Call]] {
      var entries: [UInt: [DebugEntry]] = [:]
      return units.info.withUnsafeBytes { info in
        guard let unit = DebugUnit(info, at: start) else { return [:] }
        let forms = units.abbreviations.withUnsafeBytes {
          DebugEntry.forms($0, at: unit.abbreviations)
        }
        var cursor = unit.cursor
        var base: UInt = 0
        var count = 0
        while !cursor.isAtEnd {
          count += 1
          if count % 4096 == 0, !isInTime() { return [:] }
          let code = cursor.unsigned()
          guard code != 0 else { continue }
          // Entries after an entry with an unknown form can't be read.
          guard let form = forms[code] else { break }
          let entry = DebugEntry(form, &cursor, unit)
          if count == 1 { base = entry.low }
          guard form.isInlinedCall else { continue }
          units.visitRanges(of: entry, base) { range in
            var index = addresses.firstIndex(notBelow: range.lowerBound) { $0 }
            while index < addresses.count, addresses[index] < range.upperBound {
              if entries[addresses[index], default: []].count < Self.maxDepth {
                entries[addresses[index], default: []].append(entry)
              }
              index += 1
            }
          }
        }
        var symbols: [Int: String] = [:]
        return entries.mapValues { entries in
          // Entries follow the entries that contain them.
          var calls = entries.reversed().map { entry in
            var call = entry.call
            if let origin = entry.origin {
              call.symbol = symbols[origin] ?? symbol(at: origin, forms, unit)
              symbols[origin] = call.symbol
            }
            return call
          }
          // The lines in the expansion of a macro count from its start, but the compiler names the
          // file that uses the macro.
          for index in calls.indices.dropLast() where MangledName.isOfMacro(calls[index + 1].symbol)
          {
            calls[index].line = 0
          }
          return calls
        }
      }
    }

    /// Returns the symbol of the function of an entry, or an empty string.
    private func symbol(
      at offset: Int, _ forms: [UInt64: DebugEntry.Form], _ unit: DebugUnit
    ) -> String {
      guard unit.cursor.position..<unit.next ~= offset else { return "" }
      var cursor = unit.cursor
      cursor.move(to: offset)
      guard let form = forms[cursor.unsigned()],
        let symbol = DebugEntry(form, &cursor, unit).symbol
      else { return "" }
      return file.text(in: ".debug_str", at: symbol)
    }

    /// A line with the symbol of the function around it, if that was inlined.
    typealias Place = (path: String, line: Int, symbol: String?)

    /// Returns the lines at an address that has a row, the innermost first: that of the row, and
    /// those of the calls. Lines without a file are missing, and lines that nobody wrote.
    static func places(
      _ row: LineProgram.Row, _ calls: [Call], _ files: LineProgram.Files
    ) -> [Place] {
      let lines = [(row.file, row.line)] + calls.map { ($0.file, $0.line) }
      return lines.indices.compactMap { index in
        let (file, line) = lines[index]
        guard line > 0, let path = files[file], CodeCall.isWritten(path: path) else { return nil }
        // The expansion of a macro has a name that isn't in the source.
        let symbol = calls[index...].first { !MangledName.isOfMacro($0.symbol) }?.symbol ?? ""
        return (path, line, symbol.isEmpty ? nil : symbol)
      }
    }
  }
#endif
