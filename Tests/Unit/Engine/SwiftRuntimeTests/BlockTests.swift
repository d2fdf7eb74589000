import Testing

@testable import SwiftRuntime

@Suite("Mangled names of C blocks")
struct BlockTests {
  @Test(
    "A mangled type name with a block is recognized",
    arguments: ["yyXB", "yyXBSg", "SaySiSgyyXBG", "4main3RowCyyXB", "\u{1}abcdyyXB", "0XB"])
  func blocks(name: String) {
    #expect(MangledName(Array(name.utf8)).containsBlock)
  }

  @Test(
    "Identifiers and addresses that look like a block aren't mistaken for one",
    arguments: [
      "", "X", "B", "yyc", "yyXC", "4main3AXBC", "\u{1}aXBd", "\u{18}aXBbcdef", "9XB", "99999XB",
    ])
  func others(name: String) {
    #expect(!MangledName(Array(name.utf8)).containsBlock)
  }
}
