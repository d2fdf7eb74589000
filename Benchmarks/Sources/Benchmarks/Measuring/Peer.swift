/// A library that does the work of the rows.
struct Peer {
  let contestant: Contestant
  /// Creates the work of each row, except for rows that the library has no counterpart for.
  let work: [RowName: () -> Work]
  /// Returns a function that makes a live subject -> map -> filter -> observer over one subject.
  let makeSubscriptions: () -> () -> Any
}
