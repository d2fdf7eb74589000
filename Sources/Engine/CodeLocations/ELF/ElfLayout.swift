/// The layout of 64-bit executables and libraries (ELF-64 Object File Format). Offsets and sizes
/// are in bytes.
package enum ElfLayout {
  /// The first four bytes of a file, `\u{7F}ELF`, in little-endian order.
  package static let magic: UInt32 = 0x464C_457F
  static let is64Bit: UInt64 = 2
  static let isLittleEndian: UInt64 = 1

  // Elf64_Ehdr
  package static let headerSize = 64
  /// The offset of the class, in one byte (`EI_CLASS`), and of the architecture, in two bytes.
  private static let fileClass = 4
  private static let machine = 18
  #if arch(arm64)
    private static let thisMachine: UInt16 = 183
  #else
    private static let thisMachine: UInt16 = 62
  #endif

  /// Returns whether a file is a 64-bit program for this architecture. A header that is too short
  /// can't be judged, so the result is true.
  package static func isForThisArchitecture(_ header: [UInt8]) -> Bool {
    guard header.count > machine + 1 else { return true }
    return UInt64(header[fileClass]) == is64Bit
      && UInt16(header[machine]) | UInt16(header[machine + 1]) << 8 == thisMachine
  }

  /// The offset of the type of the file, in two bytes, and the type of a core file.
  static let fileType = 16
  static let typeOfCore: UInt64 = 4

  /// The offset of the program headers, and after it that of the sections.
  package static let programs: UInt = 0x20
  static let sections = 0x28
  /// The size of a program header, and after it the counts and sizes of all tables.
  static let programSize = 0x36
  /// The number of program headers, in two bytes.
  package static let programCount: UInt = 0x38
  /// The number that means that the number is elsewhere (`PN_XNUM`).
  static let manyPrograms = 0xFFFF

  /// A program header (`Elf64_Phdr`).
  package enum Program {
    package static let size: UInt = 56
    package static let flags: UInt = 4
    static let offset: UInt = 8
    package static let address: UInt = 16
    static let fileSize: UInt = 32
    package static let memorySize: UInt = 40

    /// The kind at the start of the header of a part that is loaded.
    package static let isLoaded: UInt32 = 1
    static let hasNotes: UInt32 = 4
    /// The bits of the flags.
    package static let isExecutable: UInt32 = 1
    package static let isWritable: UInt32 = 2
    package static let isReadable: UInt32 = 4
  }

  /// A section header (`Elf64_Shdr`).
  enum Section {
    static let size = 64
    /// The offset of information whose meaning depends on the section, in four bytes.
    static let information = 44
    /// The type of a section without bytes in the file.
    static let hasNoBytes = 8
    static let isLoaded = 0x2
    static let isCompressed = 0x800
  }

  /// An entry of a symbol table (`Elf64_Sym`).
  enum Symbol {
    static let size = 24
    /// The offset of the kind of the symbol and its visibility, in one byte.
    static let info = 4
    static let start = 8
    static let length = 16
    static let kindMask: UInt64 = 0xF
    static let isObject: UInt64 = 1
    static let isFunction: UInt64 = 2
  }
}
