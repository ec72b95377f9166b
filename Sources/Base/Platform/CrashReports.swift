internal import Glibc

/// What a crash writes by itself.
package enum CrashReports {
    /// The signals for which Swift's runtime starts `swift-backtrace`.
    package static var signals: [CInt] {
        [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]
    }

    /// Keeps a crash from writing registers and memory of this process, in which secrets would be,
    /// whatever `SWIFT_BACKTRACE` says: the signals end the process as if there were no handlers.
    ///
    /// The runtime has set its handlers before `main`. What a trap says of itself, such as "Fatal
    /// error: …", is written before its signal, and stays.
    package static func forbid() {
        for number in signals { signal(number, SIG_DFL) }
    }
}
