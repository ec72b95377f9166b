internal import ByteStorage
internal import EventPatterns
internal import ReloadModel

/// A key that a queued push looks for, or a space whose groups it must go through.
struct Probe: BitwiseCopyable {
    var hash: UInt64
    /// What tells the key from others with the same hash; see `WidgetMatcher.isWanted`.
    ///
    /// Of several equalities the fields: how far each is behind the push's first one, a byte each;
    /// or of a push with more than 255 fields, where they stand in `combinedFields`.
    var word: UInt64
    /// The field that it was made of.
    var field: UInt32
    var space: SpaceID
    /// Where the hash has been found in the table, once it has been looked up.
    var candidate = HashIndex.Candidate.none
    var form: KeyForm
    /// Whether the push has lists.
    var isOfLists = false

    /// Whether it is a key rather than a space of groups.
    @inline(__always)
    var isKey: Bool { form != .group && form != .always }
}

extension WidgetMatcher {
    // MARK: - The probes of a push

    /// Adds the probes of a push.
    ///
    /// - Returns: what of `probeLimit` is left; nil if there are too many.
    @inline(__always)
    mutating func addProbes(_ push: PayloadReader.Push) -> Int? {
        var left = Self.probeLimit
        if reader.vocabulary.combinedSpaceCount > 0 { noteFields(push) }
        var field = push.firstField
        while field < push.endField {
            let attribute = reader.fields[field].attribute
            let run = field..<endOfAttribute(field, push)
            let valueSpace = reader.vocabulary.valueSpace(attribute)
            if valueSpace != KeySpace.none {
                left -= run.count
                if left < 0 { return nil }
                addValueProbes(valueSpace, run, push)
            }
            var space = reader.vocabulary.firstSpace(attribute)
            while space != KeySpace.none {
                if !addProbes(space, run, push, &left) { return nil }
                space = spaces[space].next
            }
            field = run.upperBound
        }
        var space = reader.vocabulary.firstSpace(ofApp: push.app)
        while space != KeySpace.none {
            probes.append(Probe(hash: 0, word: 0, field: 0, space: space, form: .always))
            space = spaces[space].next
        }
        for kind in push.kinds.first..<push.kinds.end {
            let word = UInt64(reader.kinds[kind])
            add(.named, namedSpace, keyHash(namedSpace, word: word), word, field: 0)
        }
        return left
    }

    /// Lets each attribute find its fields, within whatever elements of lists.
    @inline(__always)
    private mutating func noteFields(_ push: PayloadReader.Push) {
        var first = push.firstField
        while first < push.endField {
            let end = endOfAttribute(first, push)
            reader.vocabulary.note(reader.fields[first].attribute, push.number, first..<end)
            first = end
        }
    }

    @inline(__always)
    private func endOfAttribute(_ first: Int, _ push: PayloadReader.Push) -> Int {
        let attribute = reader.fields[first].attribute
        var end = first + 1
        while end < push.endField && reader.fields[end].attribute == attribute { end += 1 }
        return end
    }

    /// A probe for each value, alone.
    @inline(__always)
    private mutating func addValueProbes(
        _ space: SpaceID,
        _ run: Range<Int>,
        _ push: PayloadReader.Push
    ) {
        let state = spaces.hash(space)
        for field in run where !reader.fields[field].has(.container) {
            if push.hasContexts && reader.isRepeat(field, push) { continue }
            add(.value, space, spaces.hash(state, reader.fields[field].hash), 0, field: field)
        }
    }

    @inline(__always)
    mutating func add(
        _ form: KeyForm,
        _ space: SpaceID,
        _ hash: UInt64,
        _ word: UInt64,
        field: Int
    ) {
        keys.index.prefetch(hash)
        probes.append(
            Probe(
                hash: hash,
                word: word,
                field: UInt32(field),
                space: space,
                form: form,
                isOfLists: reader.hasLists
            )
        )
    }

    /// Adds the probes of a space for the values at one of its attributes.
    ///
    /// - Returns: false if there are too many.
    @inline(__always)
    private mutating func addProbes(
        _ number: SpaceID,
        _ run: Range<Int>,
        _ push: PayloadReader.Push,
        _ left: inout Int
    ) -> Bool {
        let form = spaces[number].form
        switch form {
        case .equal:
            enqueueWork &+= WorkCost.look
            return addCombinations(number, push, &left)
        case .group:
            probes.append(Probe(hash: 0, word: 0, field: 0, space: number, form: .group))
            return true
        case .gram:
            for field in run where !(push.hasContexts && reader.isRepeat(field, push)) {
                if !addGramProbes(number, field, &left) { return false }
            }
            return true
        default:
            // A value of which no key can be made has been looked at, too.
            left -= run.count
            if left < 0 { return false }
            for field in run where !(push.hasContexts && reader.isRepeat(field, push)) {
                addPartProbes(form, number, field)
            }
            return true
        }
    }
}
