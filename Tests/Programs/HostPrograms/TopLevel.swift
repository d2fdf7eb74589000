// Top-level code that forgets an observation.
// verdict: leak
// memcheck: yes
// finding: undisposed TopLevel.swift:11

import ReactiveKit
import ReactiveTrace

let clock = PassthroughSubject<Int, Never>()
func watch() {
  _ = clock.lane("clock").observeNext { print("tick", $0) }
}
watch()
clock.send(1)
clock.send(2)
