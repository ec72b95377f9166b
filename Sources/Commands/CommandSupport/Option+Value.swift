package import ArgumentParser

/// What the value of an option is: its name in the help, by which shells complete it, too, if it is
/// that of a `file`, a `folder` or a `directory`.
package struct OptionValue: ExpressibleByStringLiteral, Sendable {
    private let name: String
    /// How shells complete it; nil for the usual way.
    package let completion: CompletionKind?

    /// Makes a value of its name.
    package init(stringLiteral name: String) {
        self.init(
            name: name,
            completion: ["file": .file(), "folder": .directory, "directory": .directory][name]
        )
    }

    private init(name: String, completion: CompletionKind?) {
        self.name = name
        self.completion = completion
    }

    /// A file whose name has this ending.
    package static func file(_ ending: String) -> OptionValue {
        OptionValue(name: "file", completion: .file(extensions: [ending]))
    }

    /// The help of an option or argument with such a value.
    package func help(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: name) }
}

extension Option where Value: ExpressibleByArgument {
    /// An option that has a default.
    package init(
        wrappedValue: Value,
        help: String,
        of value: OptionValue,
        name: NameSpecification = .long
    ) {
        self.init(
            wrappedValue: wrappedValue,
            name: name,
            help: value.help(help),
            completion: value.completion
        )
    }

    /// An option that must be given.
    package init(help: String, of value: OptionValue, name: NameSpecification = .long) {
        self.init(name: name, help: value.help(help), completion: value.completion)
    }
}

extension Option {
    /// An option that is nil unless it is given.
    package init<T>(help: String, of value: OptionValue, name: NameSpecification = .long)
    where T: ExpressibleByArgument, Value == T? {
        self.init(name: name, help: value.help(help), completion: value.completion)
    }

    /// An option that may be given several values.
    package init<T>(
        wrappedValue: [T],
        help: String,
        of value: OptionValue,
        name: NameSpecification = .long,
        parsing: ArrayParsingStrategy = .singleValue
    ) where T: ExpressibleByArgument, Value == [T] {
        self.init(
            wrappedValue: wrappedValue,
            name: name,
            parsing: parsing,
            help: value.help(help),
            completion: value.completion
        )
    }
}
