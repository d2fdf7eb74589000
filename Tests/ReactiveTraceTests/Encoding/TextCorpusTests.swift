import TestSupport
import Testing

@Suite("the texts of hundreds of types", .ownThread)
struct TextCorpusTests {
  @Test("are those of the language, alone and inside other values", arguments: [1, 2, 3])
  func corpus(seed: Int) throws {
    let helper = try Helper(["\(seed)"], trace: nil, program: Helper.path(of: "TextCorpus"))
    let result = helper.finish()
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains(" values of "))
  }
}
