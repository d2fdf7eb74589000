import ReactiveKit

extension LeakCase {
  static let commentList = cycle(
    "method-reference", lanes: ["comments.new"], path: ["CommentList.bag"],
    .now {
      let list = CommentList()
      list.open()
      Blog.comments.send("Nice")
      return list
    })
}

enum Blog {
  static let comments = PassthroughSubject<String, Never>()
}

/// A list that observes with its own method, which retains the list.
final class CommentList {
  private var comments: [String] = []
  private let bag = DisposeBag()

  func open() {
    Blog.comments
      .traced("comments.new")
      .observeNext(with: append)  // observed
      .dispose(in: bag)
  }

  private func append(_ comment: String) { comments.append(comment) }
}
