package import Basics
internal import StoreFormat

/// A key by which many pushes have found widgets, for operators.
package struct HotKey: Equatable, Sendable {
    /// The kind of one widget under the key; widgets of other kinds may have the same key.
    package let kind: KindID
    /// The condition on the payload, such as `character=elf-42`.
    package let text: String
    /// Recent pushes that found widgets by the key: an estimate that fades over time.
    package let pushes: UInt64
    /// Widgets that these pushes found by it: an estimate, too.
    package let matched: UInt64
}

/// Describing keys for people: `character=elf-42`, `title=dra*`.
extension WidgetIndex {
    /// A counted key with its text, and the kind of one of its widgets.
    func hotKey(_ entry: HotKeys.Entry) -> HotKey {
        let key = KeyID(rawValue: entry.key)
        let widget = widgets[keys.firstPosting(key).widget]
        return HotKey(
            kind: shapes[widget.shape].kind,
            text: ExplanationText.cut(text(of: key)),
            pushes: entry.count,
            matched: entry.extra
        )
    }

    /// The condition that a key stands for.
    private func text(of key: KeyID) -> String {
        let space = spaces[keys.space(key)]
        let field = vocabulary.path(of: space.attributes[0])
        switch space.form {
        case .value, .equal: return equalities(of: key, in: space)
        case .prefix, .foldedPrefix: return "\(field)=\(text(of: key, at: 0))*"
        case .suffix, .foldedSuffix: return "\(field)=*\(text(of: key, at: 0))"
        case .folded: return "\(field)=\(text(of: key, at: 0))"
        case .gram: return "\(field)=*\(gram(of: key, count: Int(space.parameter)))*"
        case .cell: return "\(field) in a range"
        case .block4, .block6: return "\(field) in a /\(space.parameter) of addresses"
        case .group, .always: return "\(field) under a condition"
        case .named:
            let kind = KindID(index: Int(keys.word(of: key, at: 0).bits))
            return "kinds=\(kinds[kind]?.name ?? "")"
        }
    }

    /// The fields and values of a key of equalities.
    private func equalities(of key: KeyID, in space: KeySpace) -> String {
        (0..<Int(space.attributeCount)).map { position in
            let field = vocabulary.path(of: space.attributes[position])
            return "\(field)=\(text(of: key, at: position))"
        }.joined(separator: ", ")
    }

    /// The value that a word of a key refers to: a string as it is, anything else as JSON.
    private func text(of key: KeyID, at position: Int) -> String {
        let value = keys.word(of: key, at: position).value
        if values.tag(of: value) == .string { return values.bytes(of: value).string }
        var writer = StoreWriter(capacity: 64)
        write(value, to: &writer)
        return writer.bytes.string
    }

    /// The bytes of a gram as text.
    private func gram(of key: KeyID, count: Int) -> String {
        let word = keys.word(of: key, at: 0).bits
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
