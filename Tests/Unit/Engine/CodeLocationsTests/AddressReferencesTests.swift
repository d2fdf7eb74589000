import Testing

@testable import CodeLocations

@Suite("Instructions that compute addresses")
struct AddressReferencesTests {
  private struct Reference: Equatable {
    let instruction: UInt
    let target: UInt
  }

  private func x86(_ code: [UInt8], at start: UInt, targets: Set<UInt>) -> [Reference] {
    var found: [Reference] = []
    code.withUnsafeBytes {
      AddressReferences.visitX86($0, at: start, targets: targets) {
        found.append(Reference(instruction: $0, target: $1))
      }
    }
    return found
  }

  private func arm64(_ words: [UInt32], at start: UInt, targets: Set<UInt>) -> [Reference] {
    var found: [Reference] = []
    words.map(\.littleEndian).withUnsafeBytes {
      AddressReferences.visitARM64($0, at: start, targets: targets) {
        found.append(Reference(instruction: $0, target: $1))
      }
    }
    return found
  }

  @Test("An x86-64 lea is found at both ends of the code, with a distance in both directions")
  func lea() {
    // lea rax, [rip + 0x10]; nop; lea r15, [rip - 0x10]
    let code: [UInt8] = [
      0x48, 0x8D, 0x05, 0x10, 0, 0, 0, 0x90, 0x4C, 0x8D, 0x3D, 0xF0, 0xFF, 0xFF, 0xFF,
    ]
    let targets: Set<UInt> = [0x1017, 0x0FFF]
    #expect(
      x86(code, at: 0x1000, targets: targets) == [
        Reference(instruction: 0x1001, target: 0x1017),
        Reference(instruction: 0x1009, target: 0x0FFF),
      ])
    #expect(x86(code, at: 0x1000, targets: [0x1018]).isEmpty)
  }

  @Test("An x86-64 call or a lea relative to another register isn't a reference")
  func otherInstructions() {
    // call +0x10; lea rax, [rbx + 0x10]
    let code: [UInt8] = [0xE8, 0x10, 0, 0, 0, 0x48, 0x8D, 0x83, 0x10, 0, 0, 0]
    #expect(x86(code, at: 0x1000, targets: [0x1015, 0x101C]).isEmpty)
  }

  @Test("Code that ends inside an instruction has no reference", arguments: 0...6)
  func cutCode(count: Int) {
    let code: [UInt8] = [0x48, 0x8D, 0x05, 0x10, 0, 0, 0]
    #expect(x86(Array(code.prefix(count)), at: 0x1000, targets: [0x1017]).isEmpty)
    #expect(arm64([], at: 0x1000, targets: [0x1000]).isEmpty)
  }

  @Test("An ARM64 adrp and its add are found, also with other code between them")
  func pageAndOffset() {
    let code: [UInt32] = [
      0xB000_0010,  // adrp x16, +1 page
      0xF0FF_FFF1,  // adrp x17, -1 page
      0xD503_201F,  // nop
      0x9108_D210,  // add x16, x16, #0x234
      0x9140_0631,  // add x17, x17, #1, lsl #12
      0x9100_4231,  // add x17, x17, #0x10
    ]
    let targets: Set<UInt> = [0x40_2234, 0x40_0010]
    #expect(
      arm64(code, at: 0x40_1000, targets: targets) == [
        Reference(instruction: 0x40_100C, target: 0x40_2234),
        Reference(instruction: 0x40_1014, target: 0x40_0010),
      ])
  }

  @Test("An ARM64 adr is found in both directions")
  func shortDistance() {
    let code: [UInt32] = [
      0x1000_0081,  // adr x1, +16
      0x10FF_FFE2,  // adr x2, -4
    ]
    #expect(
      arm64(code, at: 0x2000, targets: [0x2010, 0x2000]) == [
        Reference(instruction: 0x2000, target: 0x2010),
        Reference(instruction: 0x2004, target: 0x2000),
      ])
  }
}
