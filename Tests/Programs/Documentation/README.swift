private let searchText = Property("")
private let query = Property("")
