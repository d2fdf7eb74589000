import SystemLibrary
import TraceFormat

/// A fault of a compressed log. Everything that could be read was read.
package struct PackingFault: Equatable, Sendable {
  /// The kind: `packingCut`, `packingDamaged` or `packingTrailed`.
  package let kind: Damage.Kind
  /// The range of unpacked bytes that may be wrong, or the offset at which something is missing.
  package let range: Range<Int>
  /// The line in which the range ends, from 1.
  package internal(set) var line = 1
}

/// A reader of compressed logs (RFC 1952) that have one or more members.
///
/// It reads everything that it can of a file that is damaged or cut short: the bytes before the
/// damage, and the members after it.
struct Gzip: ~Copyable {
  private var input: BitReader
  private var inflater: Inflater
  private var faults: [PackingFault] = []
  private let name: String

  /// The number of damaged members after which the reader does not search for more.
  private static let maxFaults = 1000
  /// The number of bytes that may still be read without success. Without this limit, bytes that
  /// only look like members would take quadratic time.
  private var patience: Int

  /// Reports whether the file has the two bytes at `start` that every gzip file begins with. No
  /// line of a log begins with them.
  static func isCompressed(_ descriptor: Int32, at start: Int) -> Bool {
    var magic: (UInt8, UInt8) = (0, 0)
    let count = withUnsafeMutableBytes(of: &magic) {
      pread(descriptor, $0.baseAddress, 2, off_t(start))
    }
    return count == 2 && magic == (0x1F, 0x8B)
  }

  /// Unpacks a file into a spool.
  ///
  /// - Returns: The number of unpacked bytes, and the faults.
  static func unpack(
    _ descriptor: Int32, at start: Int, into spool: Spool, name: String
  ) throws(LogError) -> (size: Int, faults: [PackingFault]) {
    var gzip = Gzip(descriptor, at: start, into: spool, name: name)
    try gzip.run(from: start)
    if let code = gzip.input.failure {
      throw LogError.cannotRead(name, reason: String(cString: strerror(code)))
    }
    if gzip.inflater.total == 0, !gzip.faults.isEmpty {
      throw LogError.cannotUnpack(name, reason: "its beginning is damaged")
    }
    var (line, position) = (1, 0)
    for index in gzip.faults.indices {
      let end = gzip.faults[index].range.upperBound
      line += lineEnds(in: position..<max(position, end), of: spool)
      position = max(position, end)
      gzip.faults[index].line = line
    }
    return (gzip.inflater.total, gzip.faults)
  }

  private static func lineEnds(in range: Range<Int>, of spool: Spool) -> Int {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var (position, found) = (range.lowerBound, 0)
    while position < range.upperBound {
      let wanted = min(piece.count, range.upperBound - position)
      let count = pread(spool.file.number, &piece, wanted, off_t(spool.start + position))
      guard count > 0 else { break }
      found += piece[..<count].count { $0 == 0x0A }
      position += count
    }
    return found
  }

  private init(_ descriptor: Int32, at start: Int, into spool: Spool, name: String) {
    self.name = name
    input = BitReader(descriptor, at: start)
    var status = stat()
    let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    patience = 4 * max(0, size - start) + 1 << 20
    inflater = Inflater { bytes throws(LogError) in try spool.write(bytes) }
  }

  private enum Member {
    case whole, cut
    /// The member cannot be unpacked to its end.
    case damaged
    /// The member has an end, but its bytes are not those that were compressed.
    case altered
    /// There is not another member: the file ends here, except for zeros.
    case none
    /// The bytes here are not a member.
    case foreign
  }

  private mutating func run(from start: Int) throws(LogError) {
    var start = start
    var isBehindDamage = false
    while true {
      input.move(to: start)
      let before = inflater.total
      let member = try read(mustBeText: false)
      let after = inflater.total
      switch member {
      case .whole, .altered:
        isBehindDamage = member == .altered
        if isBehindDamage { note(.packingDamaged, before..<after) }
        start = input.position
        continue
      case .none: return
      case .cut: note(.packingCut, after..<after)
      case .damaged: note(.packingDamaged, before..<after)
      case .foreign: if !isBehindDamage { note(.packingTrailed, after..<after) }
      }
      isBehindDamage = true
      patience -= input.position - start
      // A damaged length can lead the reader into the members that follow.
      guard let next = try resume(after: start) else { return }
      start = next
    }
  }

  private mutating func note(_ kind: Damage.Kind, _ range: Range<Int>) {
    faults.append(PackingFault(kind: kind, range: range))
  }

  /// Continues with the next readable member, if any, and returns the offset at which the one after
  /// it may begin.
  private mutating func resume(after start: Int) throws(LogError) -> Int? {
    var start = start
    while faults.count < Self.maxFaults, patience > 0, let offset = nextMember(after: start) {
      input.move(to: offset)
      let before = inflater.total
      let member = try read(mustBeText: true)
      if inflater.total > before {
        switch member {
        case .whole: return input.position
        case .cut: note(.packingCut, inflater.total..<inflater.total)
        default: note(.packingDamaged, before..<inflater.total)
        }
      }
      patience -= input.position - offset
      start = offset
    }
    return nil
  }

  private mutating func nextMember(after start: Int) -> Int? {
    input.move(to: start + 1)
    var last: (UInt8, UInt8, UInt8) = (0, 0, 0)
    while let byte = input.byte() {
      if last == (0x1F, 0x8B, 0x08), byte & 0xE0 == 0 { return input.position - 4 }
      last = (last.1, last.2, byte)
    }
    return nil
  }

  /// Reads one member.
  ///
  /// - Parameter mustBeText: True if the bytes here may not be a member at all. They count as a
  ///   member only if they unpack to text.
  private mutating func read(mustBeText: Bool) throws(LogError) -> Member {
    let header = self.header()
    guard case .whole = header else { return header }
    do throws(Inflater.Fault) {
      try inflater.member(&input, mustBeText: mustBeText)
    } catch {
      switch error {
      case .cut: return .cut
      case .damaged: return .damaged
      case .failed(let error): throw error
      }
    }
    input.align()
    let sum = UInt32(input.take(16)) | UInt32(input.take(16)) << 16
    let size = UInt32(input.take(16)) | UInt32(input.take(16)) << 16
    if input.isOverrun { return .cut }
    return sum == inflater.sum && size == inflater.size ? .whole : .altered
  }

  private mutating func header() -> Member {
    var bytes: [UInt8] = []
    while bytes.count < 10, let byte = input.byte() {
      bytes.append(byte)
      if bytes.count <= 2, byte != [0x1F, 0x8B][bytes.count - 1] {
        return bytes == [0] && isZeroFromHere() ? .none : .foreign
      }
    }
    guard bytes.count == 10 else { return bytes.isEmpty ? .none : .cut }
    let flags = bytes[3]
    guard bytes[2] == 8, flags & 0xE0 == 0 else { return .damaged }
    if flags & 0x04 != 0 {
      for _ in 0..<input.take(16) where input.byte() == nil { return .cut }
    }
    for flag in [0x08, 0x10] as [UInt8] where flags & flag != 0 {
      while true {
        guard let byte = input.byte() else { return .cut }
        if byte == 0 { break }
      }
    }
    if flags & 0x02 != 0 { _ = input.take(16) }
    return input.isOverrun ? .cut : .whole
  }

  /// Reports whether only zeros follow. A file that is stored in blocks of a fixed size ends with
  /// zeros.
  private mutating func isZeroFromHere() -> Bool {
    while let byte = input.byte() {
      if byte != 0 { return false }
    }
    return true
  }
}
