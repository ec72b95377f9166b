extension TextPart {
    /// Text that was inserted into a literal: what it says is no Markdown.
    static func inserted(_ text: String) -> TextPart { .run([.literal(text)], []) }

    /// The pieces of a literal with the styles that its Markdown says: `**bold**`, `*italic*`,
    /// `~~struck~~`, `` `code` `` and `[a link](address)`. What has no second mark stays as it is.
    static func styled(_ parts: [TextPart]) -> [TextPart] {
        if !parts.contains(where: \.hasMarks) { return joined(parts) }
        var cursor = MarkdownCursor(parts)
        return joined(cursor.parts(until: nil) ?? parts)
    }

    private var hasMarks: Bool {
        guard case .literal(let text) = self else { return false }
        return text.contains { "*_~`[\\".contains($0) }
    }

    /// The pieces with those joined that have the same style.
    private static func joined(_ parts: [TextPart]) -> [TextPart] {
        var found: [TextPart] = []
        for part in parts {
            switch part {
            case .run(let parts, []): found += parts
            case .run(let parts, let notes): found.append(.run(joined(parts), notes))
            default: found.append(part)
            }
            while found.count > 1, case .literal(let first) = found[found.count - 2],
                case .literal(let second) = found[found.count - 1]
            {
                found.replaceSubrange((found.count - 2)..., with: [.literal(first + second)])
            }
        }
        return found
    }
}
