import Glibc

/// An error in what a person typed or configured, as a sentence to print.
package struct SettingsProblem: Error, CustomStringConvertible {
    /// The sentence, without a full stop.
    package let description: String

    /// Makes an error from its sentence.
    package init(_ description: String) {
        self.description = description
    }

    /// Says that a setting has a value that it cannot have.
    ///
    /// - Parameters:
    ///   - name: the setting's name.
    ///   - value: the value given.
    ///   - rule: what the value must be; ends the sentence.
    package init(_ name: String, value: String, rule: String) {
        self.init("\(name) is \(value); it must be \(rule)")
    }

    /// Says that a file cannot be written.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - error: the system's error number; by default that of the last call.
    package init(unwritable path: String, error: CInt = errno) {
        self.init("\(path) cannot be written: \(unsafe String(cString: strerror(error)))")
    }
}
