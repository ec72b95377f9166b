import TestSupport

/// A regular expression as a tree, with a matcher that tries every way through it.
indirect enum SlowRegex {
    /// How it is written, and which characters it takes.
    case character(String, (Character) -> Bool)
    case sequence([SlowRegex])
    case alternatives([SlowRegex])
    case repetition(SlowRegex, least: Int, most: Int?)

    func matches(_ value: String) -> Bool {
        let characters = Array(value)
        return ends(characters, [0]).contains(characters.count)
    }

    /// Where matches may end that begin at one of the places.
    private func ends(_ value: [Character], _ starts: Set<Int>) -> Set<Int> {
        switch self {
        case .character(_, let takes):
            return Set(starts.filter { $0 < value.count && takes(value[$0]) }.map { $0 + 1 })
        case .sequence(let parts):
            return parts.reduce(starts) { $1.ends(value, $0) }
        case .alternatives(let parts):
            return parts.reduce(into: []) { $0.formUnion($1.ends(value, starts)) }
        case .repetition(let part, let least, let most):
            var places = starts
            for _ in 0..<least { places = part.ends(value, places) }
            var all = places
            // Each round takes a character or adds nothing.
            for _ in 0..<min((most ?? .max) - least, value.count + 1) {
                places = part.ends(value, places)
                all.formUnion(places)
            }
            return all
        }
    }

    /// As RFC 9485 writes it.
    var text: String {
        switch self {
        case .character(let text, _): text
        case .sequence(let parts): parts.map(\.text).joined()
        case .alternatives(let parts): "(" + parts.map(\.text).joined(separator: "|") + ")"
        case .repetition(let part, let least, let most):
            part.atom + quantifier(least, most)
        }
    }

    private var atom: String {
        switch self {
        case .character, .alternatives: text
        case .sequence, .repetition: "(\(text))"
        }
    }

    private func quantifier(_ least: Int, _ most: Int?) -> String {
        switch (least, most) {
        case (0, nil): "*"
        case (1, nil): "+"
        case (0, 1): "?"
        case (_, nil): "{\(least),}"
        case (_, least): "{\(least)}"
        default: "{\(least),\(most!)}"
        }
    }

    /// A tree over a, b, c, ü and the line feed.
    static func random(_ random: inout SeededGenerator, depth: Int) -> SlowRegex {
        switch depth == 0 ? 0 : random.below(6) {
        case 0, 1:
            return characters[random.below(characters.count)]
        case 2, 3:
            return .sequence(parts(random.below(4), &random, depth: depth))
        case 4:
            return .alternatives(parts(2 + random.below(2), &random, depth: depth))
        default:
            let part = SlowRegex.random(&random, depth: depth - 1)
            let least = random.below(3)
            let most = random.below(2) == 0 ? nil : least + random.below(3)
            return .repetition(part, least: least, most: most)
        }
    }

    private static func parts(
        _ count: Int,
        _ random: inout SeededGenerator,
        depth: Int
    ) -> [SlowRegex] {
        (0..<count).map { _ in SlowRegex.random(&random, depth: depth - 1) }
    }

    private static var characters: [SlowRegex] {
        [
            .character("a") { $0 == "a" }, .character("b") { $0 == "b" },
            .character("ü") { $0 == "ü" }, .character("\\n") { $0 == "\n" },
            .character(".") { $0 != "\n" }, .character("[ab]") { $0 == "a" || $0 == "b" },
            .character("[^a]") { $0 != "a" }, .character("[b-ü]") { $0 >= "b" && $0 != "\n" },
            .character("[^b-c\\n]") { $0 == "a" || $0 == "ü" }, .character("\\p{L}") { $0 != "\n" },
            .character("\\P{L}") { $0 == "\n" }, .character("[a\\p{Cc}]") { "a\n".contains($0) },
            .character("[^\\P{L}a]") { !"a\n".contains($0) },
        ]
    }
}
