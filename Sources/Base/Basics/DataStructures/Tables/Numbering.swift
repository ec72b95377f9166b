/// Numbers names, in the order in which they first come.
package struct Numbering<Name: Hashable> {
    private var numbers: [Name: Int] = [:]
    /// The names so far, by their numbers.
    package private(set) var names: [Name] = []

    /// No names.
    package init() {}

    /// The number of a name; nil if it has not come.
    package subscript(name: Name) -> Int? { numbers[name] }

    /// The number of a name, which is assigned if the name is new.
    package mutating func number(of name: Name) -> Int {
        if let number = numbers[name] { return number }
        numbers[name] = names.count
        names.append(name)
        return names.count - 1
    }
}

extension Numbering: Sendable where Name: Sendable {}
