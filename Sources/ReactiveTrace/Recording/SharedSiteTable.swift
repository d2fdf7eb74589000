import SwiftRuntime
import Synchronization
import SystemLibrary
import TraceFormat

/// The sites of all observations so far, which are kept for the lifetime of the process.
///
/// Finding a site doesn't take a lock. A subscription has one reference instead of about 150 bytes
/// of text, and its records copy parts that were encoded once. The number of sites is limited,
/// because a program can generate any number of names. A site that doesn't fit is made for one
/// subscription.
final class SharedSiteTable: Sendable {
  static let shared = SharedSiteTable()

  private static let probes = 16

  /// The fingerprint and the address of a site.
  private struct Entry: ~Copyable {
    let fingerprint = Atomic<UInt64>(0)
    let site = Atomic<UInt>(0)
  }

  /// A site in the table.
  private final class Known: Sendable {
    let key: TraceSite
    let type: UInt
    let shared: SharedSite

    init(_ key: TraceSite, _ type: UInt) {
      self.key = key
      self.type = type
      shared = SharedSiteTable.make(key, type, encodesParts: true)
    }
  }

  private let entries: UInt
  private let mask: UInt64
  private let adding = BlockingGuarded(false)

  /// Creates a table for `capacity` sites, a power of two.
  init(capacity: Int = 1 << 12) {
    mask = UInt64(capacity - 1)
    // Zeros are entries without a site.
    entries = UInt(bitPattern: calloc(capacity, MemoryLayout<Entry>.stride))
  }

  deinit {
    for index in 0...mask {
      guard let entry = entry(index << 20, 0) else { return }
      let site = UnsafeRawPointer(bitPattern: entry.pointee.site.load(ordering: .relaxed))
      site.map { Unmanaged<Known>.fromOpaque($0).release() }
    }
    free(UnsafeMutableRawPointer(bitPattern: entries))
  }

  /// Returns the site with elements of the type whose metadata is at `type`.
  func site(_ key: TraceSite, of type: UInt) -> SharedSite {
    let fingerprint = Self.fingerprint(key, type)
    return find(key, type, fingerprint) ?? makeSlowPath(key, type, fingerprint)
  }

  @inline(__always)
  private func find(_ key: TraceSite, _ type: UInt, _ fingerprint: UInt64) -> SharedSite? {
    for probe in 0..<Self.probes {
      guard let entry = entry(fingerprint, probe) else { return nil }
      let known = entry.pointee.fingerprint.load(ordering: .acquiring)
      if known == 0 { return nil }
      guard known == fingerprint,
        let address = UnsafeRawPointer(bitPattern: entry.pointee.site.load(ordering: .relaxed))
      else { continue }
      let site = Unmanaged<Known>.fromOpaque(address)._withUnsafeGuaranteedRef { known in
        known.type == type && Self.isSame(known.key, key) ? known.shared : nil
      }
      if let site { return site }
    }
    return nil
  }

  private func entry(_ fingerprint: UInt64, _ probe: Int) -> UnsafeMutablePointer<Entry>? {
    let index = Int(truncatingIfNeeded: (fingerprint >> 20 &+ UInt64(probe)) & mask)
    return UnsafeMutablePointer<Entry>(bitPattern: entries).map { $0 + index }
  }

  /// Adds the site, unless another thread is adding one or a signal handler has interrupted the
  /// recorder.
  @inline(never)
  private func makeSlowPath(
    _ key: TraceSite, _ type: UInt, _ fingerprint: UInt64
  ) -> SharedSite {
    let added =
      Inside.isInside
      ? nil
      : adding.withLock(until: 0) { _ in
        find(key, type, fingerprint) ?? add(Known(key, type), fingerprint)
      }
    return (added ?? nil) ?? Self.make(key, type, encodesParts: false)
  }

  private func add(_ known: Known, _ fingerprint: UInt64) -> SharedSite? {
    for probe in 0..<Self.probes {
      guard let entry = entry(fingerprint, probe) else { return nil }
      guard entry.pointee.fingerprint.load(ordering: .relaxed) == 0 else { continue }
      entry.pointee.site.store(
        UInt(bitPattern: Unmanaged.passRetained(known).toOpaque()), ordering: .relaxed)
      entry.pointee.fingerprint.store(fingerprint, ordering: .releasing)
      return known.shared
    }
    return nil
  }

  private static func make(_ key: TraceSite, _ type: UInt, encodesParts: Bool) -> SharedSite {
    SharedSite(
      key, type: _typeName(Metadata.type(at: type), qualified: false), encodesParts: encodesParts)
  }

  // MARK: Comparing

  private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Returns a number, never 0, that differs for most sites.
  private static func fingerprint(_ key: TraceSite, _ type: UInt) -> UInt64 {
    var result = UInt64(type) &* factor ^ UInt64(bitPattern: Int64(key.line))
    result = result &* factor ^ UInt64(bitPattern: Int64(key.place?.number ?? 0))
    if let name = key.name { result = visit(name) { add($0, to: result) } }
    result = add(UInt64(key.file?.utf8.count ?? 0), to: result)
    return result | 1
  }

  private static func add(_ word: UInt64, to result: UInt64) -> UInt64 {
    (result ^ result >> 29) &* factor ^ word
  }

  private static func add(_ bytes: UnsafeRawBufferPointer, to former: UInt64) -> UInt64 {
    var result = former
    var index = 0
    while index + 8 <= bytes.count {
      result = add(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self), to: result)
      index += 8
    }
    var rest = UInt64(bytes.count) << 56
    while index < bytes.count {
      rest = rest << 8 ^ UInt64(bytes[index])
      index += 1
    }
    return add(rest, to: result)
  }

  private static func isSame(_ one: TraceSite, _ other: TraceSite) -> Bool {
    one.line == other.line && one.operator == other.operator && one.library == other.library
      && one.place == other.place && isSame(one.name, other.name) && isSame(one.file, other.file)
      && isSame(one.function, other.function)
  }

  /// Compares bytes, because strings that are equal can have different bytes in the log.
  private static func isSame(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    // Nearly all strings here are literals, and those of one site are at the same address.
    if unsafeBitCast(one, to: (UInt, UInt).self) == unsafeBitCast(other, to: (UInt, UInt).self) {
      return true
    }
    return visit(one) { one in
      visit(other) { other in
        guard one.count == other.count, let first = one.baseAddress, let second = other.baseAddress
        else { return one.count == other.count }
        return first == second || memcmp(first, second, one.count) == 0
      }
    }
  }

  /// Calls `body` with the bytes of a string. The bytes of a literal aren't copied.
  @inline(__always)
  private static func visit<Result>(
    _ text: String, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let result = text.utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
    if let result { return result }
    var text = text
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
