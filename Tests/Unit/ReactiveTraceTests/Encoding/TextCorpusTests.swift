import TestSupport
import Testing

@Suite("Text corpus", .ownThread)
struct TextCorpusTests {
  @Test(
    "Values of hundreds of types match String(describing:), alone and nested", arguments: [1, 2, 3])
  func corpus(seed: Int) throws {
    let helper = try Helper(["\(seed)"], trace: nil, program: Helper.path(of: "TextCorpus"))
    let result = helper.finish()
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains(" values of "))
  }
}
