internal import ByteStorage
package import ReloadModel
internal import RouterMetrics
internal import StoreFormat

/// A key by which many pushes have found widgets.
package struct HotKey: Equatable, Sendable {
    /// Of one of the widgets under the key; others may have the same key.
    package let kind: KindID
    /// What the payloads had, such as `character=elf-42`.
    package let text: String
    /// About how many pushes have found widgets by it lately, and how many widgets.
    package let pushes: UInt64
    package let matched: UInt64
}

/// Which keys pushes find widgets by most often.
///
/// Keys are values that widgets wait for: equalities, prefixes and so on. A condition that no value
/// leads to has none. Of many pushes only some are looked at, and each is counted for those that are
/// not.
extension WidgetMatcher {
    /// Pushes in a second that are all looked at; of more, one in two, in four and so on.
    package static var keySampleRate: UInt64 { 16_384 }

    /// Says how many pushes have come in the last second; more may come in the next one.
    package mutating func sampleKeys(pushesPerSecond: UInt64) {
        var step: UInt64 = 1
        while pushesPerSecond / step > Self.keySampleRate { step *= 2 }
        keyMask = step - 1
        countedKeys = 0
    }

    /// Halves what has been counted of keys, so that what is past fades.
    package mutating func fadeHotKeys() { hotKeys.halve() }

    /// The keys that most pushes have found widgets by, the hottest first.
    ///
    /// - Complexity: in proportion to `HotKeys.capacity` and the texts.
    package func hotKeys(limit: Int) -> [HotKey] {
        hotKeys.top(limit).map { entry in
            let widget = widgets[keys.firstPosting(entry.key).widget]
            let kind = shapes[widget.shape].kind
            return HotKey(
                kind: kind,
                text: ExplanationText.cut(text(of: entry.key)),
                pushes: entry.count,
                matched: entry.extra
            )
        }
    }

    /// - Parameters:
    ///   - key: by which widgets may have been found.
    ///   - isFirst: whether this is the first portion of them that has found some.
    ///   - found: how many.
    mutating func countKey(_ key: KeyID, isFirst: Bool, found: Int) {
        if found == 0 { return }
        let weight = keyMask + 1
        hotKeys.add(key, count: isFirst ? weight : 0, extra: UInt64(found) * weight)
        countedKeys += 1
        if countedKeys < Self.keySampleRate { return }
        // More than were expected: only half of what was looked at is from here on.
        countedKeys = 0
        keyMask = keyMask << 1 | 1
    }

    // MARK: - Texts

    private func text(of key: KeyID) -> String {
        let space = spaces[keys.space(key)]
        let field = reader.vocabulary.path(of: space.attributes[0])
        switch space.form {
        case .value, .equal: return equalities(of: key, space)
        case .prefix, .foldedPrefix: return "\(field)=\(text(of: key, 0))*"
        case .suffix, .foldedSuffix: return "\(field)=*\(text(of: key, 0))"
        case .folded: return "\(field)=\(text(of: key, 0))"
        case .gram: return "\(field)=*\(gram(of: key, Int(space.parameter)))*"
        case .cell: return "\(field) in a range"
        case .block4, .block6: return "\(field) in a /\(space.parameter) of addresses"
        case .group, .always: return "\(field) under a condition"
        case .named: return "kinds=\(kinds[Int(keys.word(key, 0))]?.name ?? "")"
        }
    }

    private func equalities(of key: KeyID, _ space: KeySpace) -> String {
        (0..<Int(space.attributeCount)).map { position in
            let field = reader.vocabulary.path(of: space.attributes[position])
            return "\(field)=\(text(of: key, position))"
        }.joined(separator: ", ")
    }

    /// A stored value that is a word of a key: strings as they are, the rest as JSON.
    private func text(of key: KeyID, _ position: Int) -> String {
        let value = keys.word(key, position)
        if values.tag(of: value) == .string { return values.bytes(of: value).string }
        var writer = StoreWriter(capacity: 64)
        write(value, to: &writer)
        return writer.bytes.string
    }

    private func gram(of key: KeyID, _ count: Int) -> String {
        let word = keys.word(key, 0)
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
