import SystemLibrary

/// A format of a file that isn't plain UTF-8 text, identified by its first bytes.
enum FileFormat: CaseIterable, Equatable {
  case gzip, zstd, xz, bzip2, lz4, zip, utf16, utf32

  private static let longest = 6

  /// Returns the format of a file; nil if the file may be a log, or its format is not known.
  static func of(_ descriptor: Int32, at start: Int) -> FileFormat? {
    var bytes = [UInt8](repeating: 0, count: longest)
    let count = pread(descriptor, &bytes, longest, off_t(start))
    bytes.removeLast(longest - max(0, count))
    return signatures.first { bytes.starts(with: $0.bytes) }?.format
  }

  /// The first bytes of each format. Longer ones come before shorter ones that they begin with:
  /// UTF-32 begins like UTF-16.
  private static let signatures: [(bytes: [UInt8], format: FileFormat)] = [
    ([0x1F, 0x8B], .gzip),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .xz),
    ([0x28, 0xB5, 0x2F, 0xFD], .zstd),
    ([0x04, 0x22, 0x4D, 0x18], .lz4),
    ([0x50, 0x4B, 0x03, 0x04], .zip),
    ([0x42, 0x5A, 0x68], .bzip2),
    ([0xFF, 0xFE, 0x00, 0x00], .utf32),
    ([0x00, 0x00, 0xFE, 0xFF], .utf32),
    ([0x7B, 0x00, 0x00, 0x00], .utf32),
    ([0x00, 0x00, 0x00, 0x7B], .utf32),
    ([0xFF, 0xFE], .utf16),
    ([0xFE, 0xFF], .utf16),
    // The first line begins with one of these forms of a brace, without a byte-order mark.
    ([0x7B, 0x00], .utf16),
    ([0x00, 0x7B], .utf16),
  ]

  /// The program that decompresses the format while a log is read; nil if there isn't one.
  var program: String? {
    switch self {
    case .gzip: "gzip"
    case .zstd: "zstd"
    case .xz: "xz"
    default: nil
    }
  }

  /// The reason why a log can't be in this format, with a command that converts it.
  var sentence: String {
    switch self {
    case .gzip, .zstd, .xz:
      "The file is compressed twice, but trace-viewer decompresses it only once."
        + " Decompress it first: \(program ?? "gzip") -dc FILE | trace-viewer -"
    case .bzip2: Self.compressed("bzip2", "bzip2 -dc")
    case .lz4: Self.compressed("lz4", "lz4 -dc")
    case .zip: Self.compressed("zip", "unzip -p")
    case .utf16: Self.encoded("UTF-16")
    case .utf32: Self.encoded("UTF-32")
    }
  }

  private static func compressed(_ name: String, _ command: String) -> String {
    "The file is compressed with \(name), but trace-viewer decompresses only gzip, zstd and xz."
      + " Decompress it first: \(command) FILE | trace-viewer -"
  }

  private static func encoded(_ name: String) -> String {
    "The file is \(name) text, but a log must be UTF-8."
      + " Convert it first: iconv -f \(name) -t UTF-8 FILE | trace-viewer -"
  }
}
