import Testing

@testable import ViewerConsole

@Suite("Base64")
struct Base64Tests {
  @Test(
    "Base64 matches the examples of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func base64(text: String, wanted: String) {
    #expect(Base64.text(Array(text.utf8)) == wanted)
    #expect(Base64.text([0xFB, 0xFF]) == "+/8=")
  }
}
