internal import ReloadModel

/// Where in a pattern the parser is; written out only when something is wrong there.
struct PatternPath {
    private enum Step {
        case member(String)
        case element(Int)
    }

    /// What the pattern itself is called in the text around it; may be empty.
    private let root: String
    private var steps: [Step] = []

    init(root: String) {
        self.root = root
    }

    mutating func enter(member name: String) { steps.append(.member(name)) }
    mutating func enter(element index: Int) { steps.append(.element(index)) }
    mutating func leave() { steps.removeLast() }

    var text: String {
        steps.reduce(into: root) { text, step in
            switch step {
            case .member(let name): text += (text.isEmpty ? "" : ".") + quotation(name)
            case .element(let index): text += "[\(index)]"
            }
        }
    }
}
