import Glibc

/// What a person typed or set and cannot be taken, as a sentence.
package struct SettingsProblem: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// A setting has a value that it cannot have.
    ///
    /// - Parameters:
    ///   - name: the setting's.
    ///   - value: what it was set to.
    ///   - rule: what it must be; ends the sentence.
    package init(_ name: String, _ value: String, _ rule: String) {
        self.init("\(name) is \(value); it must be \(rule)")
    }

    /// A file cannot be written.
    ///
    /// - Parameters:
    ///   - path: the file's.
    ///   - error: the system's error number; by default that of the last call.
    package init(unwritable path: String, error: CInt = errno) {
        self.init("\(path) cannot be written: \(unsafe String(cString: strerror(error)))")
    }
}
