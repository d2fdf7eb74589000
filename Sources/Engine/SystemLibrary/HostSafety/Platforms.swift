// Times in a log are nanoseconds in an `Int`. A 32-bit `Int` would overflow after two seconds.
#if arch(arm64_32) || arch(arm) || arch(i386) || arch(wasm32)
  #error("ReactiveTrace needs a 64-bit Int. On a 32-bit platform, depend only on ReactiveKit.")
#endif
