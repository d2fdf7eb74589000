import TaskInspection

/// The requests of one client. Orders run at the same time, and the client can ask for more while
/// it waits.
struct Session {
  let client: Client
  let shop: Shop
  let makesMistakes: Bool

  /// Handles requests until there are no more and all orders have ended. Returns the number of
  /// requests that couldn't be parsed.
  func run() async -> Int {
    var watches: [Task<Void, Never>] = []
    var badRequests = 0
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        var orders = 0
        for await line in LineReader.lines(of: client.input) {
          do {
            switch try Request(line) {
            case .order(let order):
              orders += 1
              group.addTask(name: "order \(orders) of \(client.name)") { [orders] in
                await buy(order, number: orders)
              }
            case .watch(let item):
              let prices = try await shop.watch(item)
              watches.append(send(prices, of: item))
            case .tasks:
              listTasks()
            }
          } catch let error as RequestError {
            badRequests += 1
            client.send(error)
          } catch {
            client.send("watch failed: \(error)")
          }
        }
      }
    } onCancel: {
      client.stopReading()
    }
    // The mistake: the tasks aren't part of the group, so they continue unless they are canceled.
    if !makesMistakes {
      for watch in watches { watch.cancel() }
      for watch in watches { await watch.value }
    }
    client.close()
    return badRequests
  }

  private func buy(_ order: Order, number: Int) async {
    do {
      let total = try await shop.buy(order)
      client.send("order \(number): \(order.quantity) \(order.item) for \(total) cents")
    } catch {
      client.send("order \(number) failed: \(error)")
    }
  }

  private func send(_ prices: AsyncStream<Int>, of item: String) -> Task<Void, Never> {
    Task(name: "prices of \(item) for \(client.name)") {
      for await price in prices {
        client.send("\(item): \(price) cents")
      }
    }
  }

  private func listTasks() {
    do {
      let tasks = try TaskInspector.tasks()
      client.send("\(tasks.count) tasks")
      for task in tasks { client.send("\(task)") }
    } catch {
      client.send(error)
    }
  }
}
