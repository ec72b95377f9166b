import Glibc
import Testing

// The tests of this target do what the comments of types forbid, each in a process of its own. The
// process must end with a trap, which is what a failed check does. A read outside of memory would
// end it in another way, or not at all.

extension ExitTest.Condition {
    /// The process ends with the signal of a failed check.
    static var trap: Self {
        #if arch(x86_64)
        .signal(SIGILL)
        #else
        .signal(SIGTRAP)
        #endif
    }
}
