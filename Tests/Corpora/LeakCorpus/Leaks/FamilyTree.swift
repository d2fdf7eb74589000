import ReactiveKit

extension LeakCase {
  static let familyTree = cycle(
    "two-parents", lanes: ["family.names"], path: ["FamilyMember.guardian"],
    also: ["Household.members", "Household.bag"], breaks: "FamilyMember.guardian",
    .now {
      let (first, second) = (Household(), Household())
      // The guardian of each household's member is the other household.
      first.add(FamilyMember(guardian: second))
      second.add(FamilyMember(guardian: first))
      first.open()
      return first
    })
}

enum FamilyRegister {
  static let names = PassthroughSubject<String, Never>()
}

final class Household {
  private var members: [FamilyMember] = []
  private let bag = DisposeBag()

  func add(_ member: FamilyMember) { members.append(member) }

  func open() {
    FamilyRegister.names
      .traced("family.names")
      .observeNext { [weak self] _ in self?.members.reverse() }  // observed
      .dispose(in: bag)
  }
}

final class FamilyMember {
  var guardian: Household?

  init(guardian: Household) { self.guardian = guardian }
}
