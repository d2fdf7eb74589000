import Testing

@testable import LeakDetection

@Suite("Owners of source code")
struct SourceOwnersTests {
  private func owners(
    _ program: String, _ sources: [SourceOwners.Source] = [], packages: Set<String> = []
  ) -> SourceOwners {
    SourceOwners(program: program, sources) { packages.contains($0) }
  }

  private let program = "/home/me/Shop/.build/x86_64-unknown-linux-gnu/debug/Shop"

  @Test("The folder around .build is the program's package")
  func packages() {
    let owners = owners(program, packages: ["/home/me/Shop/Feeds"])
    let expected: [(String, CodeOwner)] = [
      ("/home/me/Shop/Sources/Shop/Cart.swift", .program),
      ("/home/me/Shop/Tests/ShopTests/Sources/Cart.swift", .program),
      ("/home/me/Shop/Code/Cart.swift", .program),
      ("/home/me/Shop/Feeds/Sources/Feeds/Feed.swift", .otherPackage),
      ("/home/me/Kit/Sources/Kit/Kit.swift", .otherPackage),
      ("/home/me/Kit/Kit.swift", .otherPackage),
      ("/home/me/Shop/.build/checkouts/Feeds/Sources/Feeds/Feed.swift", .dependency),
    ]
    for (path, owner) in expected { #expect(owners.owner(ofPath: path) == owner, "\(path)") }
  }

  @Test("Without .build, the sources of the program's module or of its tests are in its package")
  func copiedPrograms() {
    let sources = [
      SourceOwners.Source(module: "Feeds", path: "/src/checkouts/Feeds/Tests/FeedTests/A.swift"),
      SourceOwners.Source(module: "My_Shop", path: "/src/Shop/Sources/My-Shop/main.swift"),
      SourceOwners.Source(module: "Kit", path: "/src/Kit/Sources/Kit/Kit.swift"),
      SourceOwners.Source(module: "KitTests", path: "/src/Kit/Tests/KitTests/A.swift"),
    ]
    let program = owners("/app/My-Shop", sources)
    #expect(program.owner(ofModule: "My_Shop") == .program)
    #expect(program.owner(ofModule: "Kit") == .otherPackage)
    #expect(program.owner(ofModule: "Feeds") == .dependency)
    let tests = owners("/app/KitPackageTests.xctest", sources)
    #expect(tests.owner(ofModule: "Kit") == .program)
    #expect(tests.owner(ofModule: "My_Shop") == .otherPackage)
  }

  @Test("The order of the sources doesn't decide which package is the one with the tests")
  func order() {
    let sources = ["Kit", "Shop"].map {
      SourceOwners.Source(module: "\($0)Tests", path: "/src/\($0)/Tests/\($0)Tests/A.swift")
    }
    for sources in [sources, sources.reversed()] {
      let tests = owners("/app/ShopPackageTests.xctest", sources)
      #expect(tests.owner(ofModule: "KitTests") == .program)
      #expect(tests.owner(ofModule: "ShopTests") == .otherPackage)
    }
  }

  @Test("Code without a known place is the program's, except that of this package")
  func unknown() {
    let owners = owners("/app/Shop")
    #expect(owners.owner(ofModule: "Shop") == .program)
    #expect(owners.owner(ofModule: "Kit") == .program)
    #expect(owners.owner(ofModule: "ReactiveKit") == .dependency)
  }
}
