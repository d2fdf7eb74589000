#if os(Linux)
  import TestSupport
  import Testing

  @testable import SystemLibrary
  @testable import ReactiveTrace

  @Suite("Locations of observations")
  struct ObservationLocationsTests {
    @Test("Function names aren't looked up if the stack is too small")
    func stack() {
      let isDone = onAnotherThread(stackSize: 512 << 10) {
        withRoom(below: 128 << 10) {
          #expect((0...128 << 10).contains(StackRoom.left ?? -1))
          let locations = ObservationLocations(PlaceTable())
          let place = locations.here()
          _ = locations.use(place, as: .observed)
          #expect(locations.codeLocation(of: place) == nil)
          #expect(locations.functions(at: [1]).isEmpty)
          #expect(locations.resolved.isEmpty)
        }
      }
      #expect(isDone)
      #expect(StackRoom.left ?? 0 > 128 << 10)
    }

    @Test(
      "Each file of a log has the call stack of a place once, regardless of the place's number",
      arguments: [1, 1023, 1024, 5000])
    func uses(number: Int) {
      let locations = ObservationLocations(PlaceTable())
      let place = PlaceNumber(number: number)
      for _ in 0..<2 {
        #expect(locations.use(place, as: .observed) != nil)
        #expect(locations.use(place, as: .observed) == nil)
        // The other use doesn't repeat the call stack.
        #expect(locations.use(place, as: .lane) == nil)
        #expect(locations.use(place, as: .lane) == nil)
        #expect(locations.use(PlaceNumber(number: number + 1), as: .lane) != nil)
        locations.beginFile()
      }
    }

    /// Fills the stack until less than `room` bytes are left. A new thread can get a larger stack
    /// than it asks for, because the system reuses the stacks of ended threads.
    private func withRoom(below room: Int, _ body: () -> Void) {
      guard let left = StackRoom.left, left >= room else { return body() }
      withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { taken in
        taken.initializeMemory(as: UInt8.self, repeating: 0)
        withRoom(below: room, body)
        withExtendedLifetime(taken) {}
      }
    }
  }
#endif
