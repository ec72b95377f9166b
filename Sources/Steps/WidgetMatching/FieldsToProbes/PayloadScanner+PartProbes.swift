internal import Basics
internal import EventPatterns

/// Making probes of parts of values.
extension PayloadScanner {
    /// Adds the probe for a part of a field's value, such as a prefix, if the value is long enough
    /// and of the right type.
    mutating func addPartProbe(of number: SpaceID, space: KeySpace, field position: Int) {
        let field = reader.fields[position]
        let value = reader.bytes[field]
        switch space.form {
        case .cell:
            if !field.has(.number) { return }
            let cell = DecimalOrder.key(value) >> UInt64(space.parameter)
            let hash = keyHash(number, word: cell)
            add(.cell, of: number, hash: hash, word: cell, field: position)
        case .block4, .block6:
            guard field.has(.string), let address = IPAddress(value, of: space.form) else { return }
            let length = Int(space.parameter)
            let hash = keyHash(number, address: address, prefixLength: length)
            add(space.form, of: number, hash: hash, field: position)
        case .prefix, .suffix, .folded, .foldedPrefix, .foldedSuffix:
            if !field.has(.string) { return }
            let text = parts.part(of: value, form: space.form, length: Int(space.parameter))
            if text.count < Int(space.parameter) { return }
            let hash = keyHash(number, word: valueHash(.string, bytes: text))
            add(space.form, of: number, hash: hash, field: position)
        case .value, .equal, .gram, .group, .always, .named: return
        }
    }

    /// Adds a probe for each run of bytes in a text that has the length of the space's keys. Of a
    /// long text, each distinct run gets one probe.
    ///
    /// - Returns: false if `probeLimit` is exceeded.
    mutating func addGramProbes(
        of number: SpaceID,
        space: KeySpace,
        field position: Int,
        left: inout Int
    ) -> Bool {
        assert(space.form == .gram, "space \(number) is of another form")
        let text = reader.bytes[reader.fields[position]]
        let length = Int(space.parameter)
        if !reader.fields[position].has(.string) || text.count < length { return true }
        let mayRepeat = text.count > Self.shortText
        if mayRepeat { seen.removeAll() }
        work += text.count * Self.gramCost
        for offset in 0...text.count - length {
            let gram = text.slice(offset, to: offset + length).prefixWord
            let hash = keyHash(number, word: gram)
            if mayRepeat {
                if seen.find(hash, where: { UInt64($0) == gram }) != nil { continue }
                seen.insert(hash, number: Int(gram))
            }
            left -= 1
            if left < 0 { return false }
            add(.gram, of: number, hash: hash, word: gram, field: position)
        }
        return true
    }

    /// The cost of hashing a run of bytes and checking whether it is new, in units of `WorkCost`.
    private static var gramCost: Int { 8 }

    /// The length in bytes up to which a text is short: its repeated runs of bytes are simply
    /// looked up again.
    private static var shortText: Int { 64 }
}

extension IPAddress {
    /// The address in a text; nil if it is none, or one of another family than the form's.
    init?(_ text: ByteView, of form: KeyForm) {
        assert(form == .block4 || form == .block6, "no form of an address")
        guard let address = IPAddress(text), address.isIPv6 == (form == .block6) else { return nil }
        self = address
    }
}
