internal import Glibc

/// The value of a variable in this process's environment; nil if it is not set.
package func environmentVariable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
}

/// The variable with which a program that shows the progress of others starts them: `none` means
/// that they show none.
package var progressVariable: String { "RELOAD_PROGRESS" }
