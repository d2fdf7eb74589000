enum Account {
  static let name = PassthroughSubject<String, Never>()
}

enum Cart {
  static let total = PassthroughSubject<Int, Never>()
}

enum Newspaper {
  static let article = PassthroughSubject<String, Never>()
}

enum Server {
  static let isReachable = PassthroughSubject<Bool, Never>()
}

enum Navigation {
  static let destination = PassthroughSubject<String, Never>()
  static let traffic = PassthroughSubject<Int, Never>()
}

enum Chat {
  static let messages = PassthroughSubject<String, Never>()
}

final class Composer {
  var onSend: ((String) -> Void)?
}

enum Mailbox {
  static let unread = Property(3)
}

enum WeatherStation {
  static let reports = PassthroughSubject<String, Never>()
}

final class ThemeService: Sendable {
  static let shared = ThemeService()

  let theme = Property("light")
  let bag = DisposeBag()
}

final class PhotoLoader {}

@MainActor
enum LoaderCache {
  static var loaders: [String: PhotoLoader] = [:]
}

enum Exchange {
  static let quotes = PassthroughSubject<Int, Never>()
}
