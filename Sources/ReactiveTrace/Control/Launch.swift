import CRuntime.OwnProcess
import ReactiveKit

/// Prepares tracing before `main` if the environment requests it, in every program that links this
/// module. The once-per-process values are created while there is only one thread. The tracer sees
/// all observations from the first one on. The log isn't opened here but at the first traced
/// observation: a program without traced observations must not replace a log.
@_cdecl("reactive_trace_launch")
func launch() {
  if EnvironmentSettings.path != nil {
    TracingState.installHooks()
    WarmUp.run()
    TaskHooks.begin()
  }
  guard EnvironmentSettings.path != nil || EnvironmentSettings.tracksAll else { return }
  Tracing.install(ReactiveTracer.shared)
  Tracing.showObservations(true)
}
