package import ArgumentParser
import Glibc

/// An error in what a person typed or configured, as a sentence to print.
package struct SettingsProblem: Error, CustomStringConvertible {
    /// The sentence, without a full stop.
    package let description: String

    /// Makes an error from its sentence.
    package init(_ description: String) { self.description = description }

    /// Says that a setting has a value that it cannot have; `rule` ends the sentence.
    package init(_ name: String, value: String, rule: String) {
        self.init("\(name) is \(value); it must be \(rule)")
    }

    /// Says that a file cannot be written, by default with the error of the last call.
    package init(unwritable path: String, error: CInt = errno) {
        self.init("\(path) cannot be written: \(unsafe String(cString: strerror(error)))")
    }
}

/// The exit statuses of all commands, on which scripts may rely.
package enum ExitStatus {
    /// The router, or a check, refused something.
    package static let refused = ExitCode(1)
    /// No router could be reached, or the router ended the session.
    package static let disconnected = ExitCode(2)
    /// `match` could not judge a pattern or an event, because it is invalid.
    package static let notJudged = ExitCode(2)
}
