import Testing

@testable import SwiftRuntime

@Suite("Mangled names")
struct MangledNameTests {
  private func name(_ text: String) -> MangledName { MangledName(Array(text.utf8)) }

  @Test(
    "The name of a generic parameter determines its position",
    arguments: [
      ("x", 0, 0), ("q_", 0, 1), ("q0_", 0, 2), ("q11_", 0, 13), ("qd__", 1, 0), ("qd_0_", 1, 1),
      ("qd0__", 2, 0), ("qd0_2_", 2, 3),
    ])
  func parameters(text: String, level: Int, index: Int) throws {
    let parameter = try #require(name(text).genericParameter)
    #expect(parameter == (level, index))
  }

  @Test(
    "A name that isn't exactly one generic parameter has no position",
    arguments: [
      "", "xx", "q", "q0", "q0_x", "qd", "qd_", "qd0_", "Si", "q99999999999999999999_",
      "q9223372036854775806_",
      "qd9223372036854775806__",
    ])
  func others(text: String) { #expect(name(text).genericParameter == nil) }

  @Test("A symbol whose types would double many times stays mangled")
  func repeatedTypes() {
    func symbol(levels: Int) -> String {
      let start = String(repeating: "ACy", count: levels - 1)
      let repeats = "FGHIJKLMNOPQRSTUVWXYZ".prefix(levels - 1).map { "A\($0)G" }.joined()
      return "$s1m1PVy\(start)AA1CVAEG\(repeats)N"
    }
    #expect(
      Demangler.name(of: symbol(levels: 2)) == "type metadata for P<P<C, C>, P<C, C>>")
    #expect(Demangler.name(of: symbol(levels: 10)).utf8.count > 5000)
    let many = symbol(levels: 20)
    #expect(Demangler.name(of: many) == many.prefix(64) + "...")
    #expect(!Demangler.isThunk(many))
    let repeated = "$s1m1PVyAA1CVGA99_A99DN"
    #expect(Demangler.name(of: repeated) == repeated)
  }

  @Test("The suffix of a field's type determines how the field holds its value")
  func holding() {
    for text in ["4main3RowCSgXw", "4main3RowCXo", "4main3RowCXu"] {
      guard case .notStrong = name(text).ownership else {
        Issue.record("\(text)")
        continue
      }
    }
    for text in ["", "Xw", "4main3RowC", "yyXC", "SiXx"] {
      guard case .strong = name(text).ownership else {
        Issue.record("\(text)")
        continue
      }
    }
  }

  @Test(
    "A lowered function type has a context unless its convention excludes one",
    arguments: [
      ("SiIegy_", true), ("SiIegy_Sg", true), ("SiIeghHr_", true), ("SiIetMxd_", false),
      ("SiIetCyd_", false), ("yyc", false), ("Iegy", false), ("", false), ("_", false),
    ])
  func loweredFunctions(text: String, hasContext: Bool) {
    #expect(name(text).isLoweredFunction == hasContext)
  }

  @Test("Packs and type functions are found only outside of symbolic references")
  func risks() {
    #expect(name("x_xQp_t").containsPack)
    #expect(name("\u{9}abcdSg").containsTypeFunction)
    #expect(!name("\u{1}Qp\u{9}dSg").containsPack)
    #expect(!name("\u{1}Qp\u{9}dSg").containsTypeFunction)
    #expect(!name("\u{18}Qpxq\u{9}fghG").mayBeDependent)
    #expect(name("4main3BoxV").mayBeDependent)
  }

  @Test("A mangled name in memory ends at the first zero byte outside of symbolic references")
  func memory() {
    let bytes: [UInt8] = [1, 0, 0, 0, 0, 0x53, 0x67, 0x18, 0, 0, 0, 0, 0, 0, 0, 0, 0x47, 0, 0x78]
    bytes.withUnsafeBufferPointer { buffer in
      let name = MangledName(at: UInt(bitPattern: buffer.baseAddress))
      #expect(name.bytes == Array(bytes[..<17]))
      #expect(name.letters(includingIdentifiers: true) == [1, 0x53, 0x67, 0x18, 0x47])
    }
  }

  @Test("A reference to a type function is recognized after a byte without a meaning")
  func padding() {
    for bytes: [UInt8] in [[9, 0, 0, 0, 0, 0], [0xFF, 9, 0, 0, 0, 0, 0]] {
      bytes.withUnsafeBufferPointer { buffer in
        let name = MangledName(at: UInt(bitPattern: buffer.baseAddress))
        #expect(name.bytes == [9, 0, 0, 0, 0])
        #expect(name.isTypeFunction)
      }
    }
  }

  @Test(
    "The metadata source of a generic parameter is read with all of its parts",
    arguments: [
      ("B0", "binding(0)"), ("R12_", "reference(12)"), ("M1_", "metadata(1)"),
      ("G1B0_", "argument(1, of: binding(0))"),
      ("G0G2R3___", "argument(0, of: argument(2, of: reference(3)))"),
      ("", "nil"), ("B", "nil"), ("S", "nil"), ("G1_", "nil"), ("G1S_", "nil"),
    ])
  func places(text: String, place: String) {
    let found = Array(text.utf8CString).withUnsafeBufferPointer {
      MetadataSource(at: UInt(bitPattern: $0.baseAddress))
    }
    let words = found.map { String(describing: $0) } ?? "nil"
    #expect(words.replacing("SwiftRuntime.MetadataSource.", with: "") == place)
  }

  @Test("The part of an asynchronous function after an await is recognized by its suffix")
  func resumptions() {
    #expect(MangledName.isResumption("$s3App3runyyYaFTY0_"))
    #expect(MangledName.isResumption("$s3App3runyyYaFTQ12_"))
    #expect(!MangledName.isResumption("$s3App3runyyYaF"))
    #expect(!MangledName.isResumption("$s3App3runyyFyycfU_"))
    #expect(MangledName.functionOfResumption("$s3App3runyyYaFTQ12_") == "$s3App3runyyYaF")
    for symbol in ["", "_", "Q_", "Y0_", "TQ", "12_"] {
      #expect(MangledName.functionOfResumption(symbol) == nil)
    }
    #expect(MangledName.functionOfResumption("TQ0_")?.isEmpty == true)
  }

  @Test("The name of a hidden type ends before the words or the number of the compiler")
  func hiddenTypes() {
    func name(_ rest: String) -> String? {
      let text = Array(rest.utf8)
      return MangledName.endOfHiddenType(text).map { String(decoding: text[..<$0], as: UTF8.self) }
    }
    #expect(name("15Synchronization5MutexVySiG noncopyable.1") == "15Synchronization5MutexVySiG")
    #expect(name("15Synchronization5MutexVySiG.12") == "15Synchronization5MutexVySiG")
    #expect(name("15Synchronization5MutexVySiG") == nil)
  }

  @Test("A function in the expansion of a macro is recognized by its kind")
  func macros() {
    #expect(MangledName.isOfMacro("$s9ShopTests0020ShopTestsswift_odAJdfMX8_33_6expectfMf_"))
    #expect(!MangledName.isOfMacro("$s9ShopTestsAAV6streamyyYaF"))
  }
}
