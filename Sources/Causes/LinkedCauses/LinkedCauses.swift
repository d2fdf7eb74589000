// This module makes programs link TraceCauses, which no module imports, with the trait Causes.

#if Causes
  import TraceCauses
#endif
