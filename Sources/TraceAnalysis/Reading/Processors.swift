import AnalysisShims
import SystemLibrary

/// The processors that this process may use.
enum Processors {
  static let count: Int = {
    let known = Int(analysis_processors())
    return known > 0 ? known : max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }()
}
