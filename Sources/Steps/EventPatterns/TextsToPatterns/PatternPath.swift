internal import Basics

/// The parser's current position in a pattern; made into text only for an error.
struct PatternPath {
    /// One step of the path: to a member of an object or to an element of a list.
    private enum Step {
        case member(String)
        case element(Int)
    }

    /// Path of the pattern itself in the text around it; may be empty.
    private let root: String
    private var steps: [Step] = []

    /// - Parameter root: the path of the pattern itself.
    init(root: String) { self.root = root }

    /// Descends to a member of an object; `leave` returns from it.
    mutating func enter(member name: String) { steps.append(.member(name)) }
    /// Descends to an element of a list; `leave` returns from it.
    mutating func enter(element index: Int) { steps.append(.element(index)) }
    /// Returns from the member or element that was entered last.
    mutating func leave() { steps.removeLast() }

    /// The path, such as `place.region[0].prefix`.
    var text: String {
        steps.reduce(into: root) { text, step in
            switch step {
            case .member(let name): text += (text.isEmpty ? "" : ".") + quotation(name)
            case .element(let index): text += "[\(index)]"
            }
        }
    }
}
