internal import Basics

/// Making the probes of a push: lookups of all the keys that can be made of its values.
extension PayloadScanner {
    /// Adds the probes of the push that was read.
    ///
    /// - Returns: how many more probes `probeLimit` allows; nil if it is exceeded.
    mutating func addProbes() -> Int? {
        var left = WidgetMatcher.probeLimit
        if reader.vocabulary.combinedSpaceCount > 0 { attributeFields.record(reader.fields) }
        var field = 0
        while field < reader.fields.count {
            let attribute = reader.fields[field].attribute
            let run = field..<reader.fields.endOfAttribute(field)
            let spaces = reader.vocabulary.spaces(of: attribute)
            if spaces.values != .none {
                left -= run.count
                if left < 0 { return nil }
                addValueProbes(of: spaces.values, run: run)
            }
            if spaces.first != .none, !addProbes(ofList: spaces.first, run: run, left: &left) {
                return nil
            }
            field = run.upperBound
        }
        return left
    }

    /// Adds the spaces of groups to which every push of an app leads, from one on.
    @inline(never)
    mutating func addGroups(of first: SpaceID) {
        var space = first
        while space != .none {
            reader.probes.append(ScannedProbe(hash: 0, space: space, form: .always))
            space = reader.vocabulary[space].next
        }
    }

    /// Adds the probes of all spaces from one of a list on.
    ///
    /// - Returns: false if `probeLimit` is exceeded.
    private mutating func addProbes(
        ofList first: SpaceID,
        run: Range<Int>,
        left: inout Int
    ) -> Bool {
        var number = first
        while number != .none {
            let listed = reader.vocabulary[number]
            if !addProbes(of: number, space: listed.space, run: run, left: &left) { return false }
            number = listed.next
        }
        return true
    }

    /// Adds a probe of the form `value` for each value of a run; repeats in other list elements are
    /// skipped.
    @inline(__always)
    private mutating func addValueProbes(of space: SpaceID, run: Range<Int>) {
        let state = keyHash(space)
        for field in run where !reader.fields[field].has(.container) {
            if isRepeat(field) { continue }
            let hash = keyHash(state, adding: reader.fields[field].hash)
            add(.value, of: space, hash: hash, field: field)
        }
    }

    /// Whether another list element has the same value before a field.
    @inline(__always)
    private func isRepeat(_ field: Int) -> Bool {
        reader.contexts.count > 0 && order.isRepeat(field)
    }

    /// Adds a probe for a key. The parameters are those of `ScannedProbe`.
    @inline(__always)
    mutating func add(
        _ form: KeyForm,
        of space: SpaceID,
        hash: UInt64,
        word: UInt64 = 0,
        field: Int = 0
    ) {
        reader.probes.append(
            ScannedProbe(hash: hash, word: word, field: UInt32(field), space: space, form: form)
        )
    }

    /// Adds the probes of one space for the values at one of its attributes.
    ///
    /// - Returns: false if `probeLimit` is exceeded.
    private mutating func addProbes(
        of number: SpaceID,
        space: KeySpace,
        run: Range<Int>,
        left: inout Int
    ) -> Bool {
        switch space.form {
        case .equal:
            work &+= WorkCost.look
            return addCombinations(of: number, space: space, left: &left)
        case .group:
            reader.probes.append(ScannedProbe(hash: 0, space: number, form: .group))
            return true
        case .gram:
            for field in run where !isRepeat(field) {
                if !addGramProbes(of: number, space: space, field: field, left: &left) {
                    return false
                }
            }
            return true
        default:
            // Values count against the limit even if no key can be made of them: they are examined.
            left -= run.count
            if left < 0 { return false }
            for field in run where !isRepeat(field) {
                addPartProbe(of: number, space: space, field: field)
            }
            return true
        }
    }
}
