import SystemLibrary

extension TraceError {
  /// What a user can do about an error of the system, without the full stop.
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
