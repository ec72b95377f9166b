internal import Basics
internal import EventPatterns

/// Making the probes of a push: lookups of all the keys that can be made of its values.
extension MatchSearch {
    /// Adds the probes of a push.
    ///
    /// - Returns: how many more probes `probeLimit` allows; nil if it is exceeded.
    @inline(__always)
    mutating func addProbes(_ push: PushBatch.Push, in index: borrowing WidgetIndex) -> Int? {
        var left = WidgetMatcher.probeLimit
        if reader.vocabulary.combinedSpaceCount > 0 { recordFields(push) }
        var field = push.firstField
        while field < push.endField {
            let attribute = reader.batch.fields[field].attribute
            let run = field..<endOfAttribute(field, in: push)
            let spaces = reader.vocabulary.spaces(of: attribute)
            if spaces.values != .none {
                left -= run.count
                if left < 0 { return nil }
                addValueProbes(of: spaces.values, run: run, for: push, in: index)
            }
            var space = spaces.first
            while space != .none {
                let (form, next) = index.spaces.step(space)
                if !addProbes(form, of: space, run: run, for: push, left: &left, in: index) {
                    return nil
                }
                space = next
            }
            field = run.upperBound
        }
        var space = reader.vocabulary.firstSpace(ofApp: push.app)
        while space != .none {
            probes.append(Probe(hash: 0, word: 0, field: 0, space: space, form: .always))
            space = index.spaces[space].next
        }
        for kind in push.kinds.first..<push.kinds.end {
            let (space, word) = (index.namedSpace, UInt64(reader.batch.kinds[kind].rawValue))
            let hash = index.keyHash(space, word: word)
            add(.named, of: space, hash: hash, word: word, in: index)
        }
        return left
    }

    /// Records the range of fields of each attribute, in any list elements, for combinations.
    @inline(__always)
    private mutating func recordFields(_ push: PushBatch.Push) {
        var first = push.firstField
        while first < push.endField {
            let end = endOfAttribute(first, in: push)
            let attribute = reader.batch.fields[first].attribute
            reader.batch.attributeFields.record(attribute, of: push.number, fields: first..<end)
            first = end
        }
    }

    /// The index after the last field at the attribute that the field `first` has.
    @inline(__always)
    private func endOfAttribute(_ first: Int, in push: PushBatch.Push) -> Int {
        assert(first >= push.firstField, "a field of another push")
        precondition(
            first >= 0 && first < push.endField && push.endField <= reader.batch.fields.count,
            "no such fields"
        )
        let fields = unsafe reader.batch.fields.elements
        let attribute = unsafe fields[first].attribute
        var end = first + 1
        while end < push.endField, unsafe fields[end].attribute == attribute { end += 1 }
        return end
    }

    /// Adds a probe of the form `value` for each value of a run; repeats in other list elements are
    /// skipped.
    @inline(__always)
    private mutating func addValueProbes(
        of space: SpaceID,
        run: Range<Int>,
        for push: PushBatch.Push,
        in index: borrowing WidgetIndex
    ) {
        let state = index.spaces.hash(space)
        for field in run where !reader.batch.fields[field].has(.container) {
            if push.hasContexts && reader.order.isRepeat(field, in: push) { continue }
            let hash = index.spaces.hash(state, adding: reader.batch.fields[field].hash)
            add(.value, of: space, hash: hash, field: field, in: index)
        }
    }

    /// Adds a probe for a key, and prefetches its slot in the key table. The parameters are those
    /// of `Probe`.
    @inline(__always)
    mutating func add(
        _ form: KeyForm,
        of space: SpaceID,
        hash: UInt64,
        word: UInt64 = 0,
        field: Int = 0,
        in index: borrowing WidgetIndex
    ) {
        index.keys.index.prefetch(hash)
        probes.append(
            Probe(
                hash: hash,
                word: word,
                field: UInt32(field),
                space: space,
                form: form,
                pushHasLists: reader.traits.hasLists
            )
        )
    }

    /// Adds the probes of one space for the values at one of its attributes.
    ///
    /// - Returns: false if `probeLimit` is exceeded.
    @inline(__always)
    private mutating func addProbes(
        _ form: KeyForm,
        of number: SpaceID,
        run: Range<Int>,
        for push: PushBatch.Push,
        left: inout Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        switch form {
        case .equal:
            enqueueWork &+= WorkCost.look
            return addCombinations(of: number, for: push, left: &left, in: index)
        case .group:
            probes.append(Probe(hash: 0, word: 0, field: 0, space: number, form: .group))
            return true
        case .gram:
            for field in run where !(push.hasContexts && reader.order.isRepeat(field, in: push)) {
                if !addGramProbes(of: number, field: field, left: &left, in: index) { return false }
            }
            return true
        default:
            // Values count against the limit even if no key can be made of them: they are examined.
            left -= run.count
            if left < 0 { return false }
            for field in run where !(push.hasContexts && reader.order.isRepeat(field, in: push)) {
                addPartProbe(form, of: number, field: field, in: index)
            }
            return true
        }
    }
}
