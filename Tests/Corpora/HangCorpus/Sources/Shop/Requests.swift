import Foundation
import FoundationNetworking

/// Sends a request to a server that accepts the connection and doesn't answer.
@inline(never)
public func requestAnswer() async throws -> Int {
  let listener = Listener()
  guard let url = URL(string: "http://127.0.0.1:\(listener.port)/") else { return 0 }
  var request = URLRequest(url: url)
  request.timeoutInterval = 100_000
  let (data, _) = try await URLSession.shared.data(for: request)  // culprit: answer, requestFirst
  close(listener.descriptor)
  return data.count
}

/// A meter that answers for some numbers only.
public actor Meter {
  private var readers: [Int: CheckedContinuation<Int, Never>] = [:]

  public init() {}

  public func read(_ number: Int) async -> Int {
    guard number > 1 else { return number }
    return await withCheckedContinuation { readers[number] = $0 }  // culprit: arguments
  }
}
