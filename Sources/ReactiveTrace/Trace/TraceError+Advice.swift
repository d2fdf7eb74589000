import SystemLibrary

extension TraceError {
  /// Returns advice for the user about an error of the system, without the final period.
  static func advice(_ error: Int32) -> String {
    switch error {
    case ENOENT, ENOTDIR: "Create the folder"
    case EACCES, EPERM, EROFS: "Allow writing there"
    case ENOSPC, EDQUOT, EFBIG: "Make room"
    case EISDIR: "Name a file in that folder"
    case EMFILE, ENFILE: "Close files that are not needed"
    default: "Check the path"
    }
  }
}
