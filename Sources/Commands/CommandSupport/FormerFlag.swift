/// A flag that has a new name. The former one works for one more version, with a notice.
package struct FormerFlag: Sendable {
    /// The commands below the program that have the flag, such as `capture cut`.
    let command: [String]
    /// The former name, with its hyphens.
    let name: String
    /// The name to use now.
    let present: String
    /// Whether the former meaning is meant, if the former name has a meaning of its own now.
    ///
    /// Its parameters are the value and all arguments.
    let isMeant: @Sendable (_ value: String, _ arguments: [String]) -> Bool

    /// - Parameters:
    ///   - command: the names of the command, separated by spaces.
    ///   - name: the former name, with its hyphens.
    ///   - present: the name to use now.
    ///   - isMeant: whether the former meaning is meant; by default it always is.
    package init(
        _ command: String,
        name: String,
        present: String,
        isMeant: @escaping @Sendable (_ value: String, _ arguments: [String]) -> Bool = { _, _ in
            true
        }
    ) {
        self.command = command.split(separator: " ").map(String.init)
        self.name = name
        self.present = present
        self.isMeant = isMeant
    }

    /// Replaces the flag in a command line, as `NAME VALUE` or `NAME=VALUE`.
    ///
    /// - Returns: false if it does not occur.
    func replace(in arguments: inout [String]) -> Bool {
        guard arguments.starts(with: command) else { return false }
        let original = arguments
        var isFound = false
        let end = original.firstIndex(of: "--") ?? original.count
        for index in command.count..<max(end, command.count) {
            let (flag, value) = Self.split(original[index])
            let following = index + 1 < end ? original[index + 1] : ""
            guard flag == name, isMeant(value ?? following, original) else { continue }
            arguments[index] = present + (value.map { "=" + $0 } ?? "")
            isFound = true
        }
        return isFound
    }

    /// Splits `NAME=VALUE`; the value is nil if there is no equals sign.
    private static func split(_ argument: String) -> (flag: String, value: String?) {
        guard let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
        let value = argument[argument.index(after: equals)...]
        return (String(argument[..<equals]), String(value))
    }
}
