internal import Basics

/// Making probes of several values together: one for each combination of values that one object
/// could have.
///
///     {"tags": ["x","y"], "items": [{"kind":1,"rarity":7}, {"kind":2,"rarity":8}]}
///
///     tags, items.kind, items.rarity:    x 1 7   y 1 7   x 2 8   y 2 8      and never 1 with 8
///
/// Conditions on a list of objects must hold for one object together, so values are combined within
/// each element of the list. Independent lists multiply, because a rule that names both asks for
/// every pair: `probeLimit` bounds that.
extension MatchSearch {
    /// A combination in the making: one field for each attribute of the space.
    struct Combination: BitwiseCopyable {
        /// For each attribute, the index of its field in the batch.
        var fields = InlineArray<6, Int>(repeating: 0)
        /// For each attribute, the end of the fields from which its field is chosen.
        var ends = InlineArray<6, Int>(repeating: 0)
        /// For each attribute, the key's hash up to and including its field.
        var hashes = InlineArray<6, UInt64>(repeating: 0)
        /// For each attribute, the position of the earlier attribute with which it shares most of
        /// its path.
        var partners = InlineArray<6, Int>(repeating: 0)
        /// For each attribute, the number of names that its path shares with that of its partner.
        var sharedDepths = InlineArray<6, Int>(repeating: 0)
    }

    /// Adds the probes of a space of several attributes; false if `probeLimit` is exceeded. They
    /// reduce `left`, what it still allows, unless there is only one combination.
    mutating func addCombinations(
        of number: SpaceID,
        for push: PushBatch.Push,
        left: inout Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        assert(index.spaces[number].form == .equal, "space \(number) combines nothing")
        let space = index.spaces[number]
        let first = combinedFields.count
        var isSingle = !push.hasContexts
        var hash = index.spaces.hash(number)
        var hasContainer = false
        for position in 0..<Int(space.attributeCount) {
            let run = reader.batch.attributeFields.fields(
                at: space.attributes[position],
                of: push.number
            )
            if run.isEmpty {
                combinedFields.truncate(to: first)
                return true
            }
            isSingle = isSingle && run.count == 1
            if !isSingle { continue }
            let field = run.lowerBound
            hash = index.spaces.hash(hash, adding: reader.batch.fields[field].hash)
            hasContainer = reader.batch.fields[field].has(.container) || hasContainer
            combinedFields.append(UInt32(field))
        }
        if isSingle && !hasContainer {
            add(.equal, of: number, hash: hash, word: UInt64(first), in: index)
            return true
        }
        combinedFields.truncate(to: first)
        return isSingle
            || addManyCombinations(of: number, space: space, for: push, left: &left, in: index)
    }

    // MARK: - Several combinations

    /// Adds the probes of a space for which a push has several combinations.
    ///
    /// It goes through the combinations like an odometer, with one field for each attribute: the
    /// field of the last attribute advances first.
    ///
    /// - Returns: false if `probeLimit` is exceeded.
    @inline(never)
    private mutating func addManyCombinations(
        of number: SpaceID,
        space: KeySpace,
        for push: PushBatch.Push,
        left: inout Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        if !push.hasContexts {
            let product = product(of: space, for: push)
            // One of the attributes has no value; perhaps an empty list.
            if product == 0 { return true }
            if product > left { return false }
        }
        let count = Int(space.attributeCount)
        var combination = Combination()
        if push.hasContexts { findPartners(in: space, for: &combination) }
        seen.removeAll()
        let start = index.spaces.hash(number)
        begin(0, of: space, for: push, in: &combination)
        var position = 0
        while position >= 0 {
            let field = combination.fields[position]
            if field == combination.ends[position] {
                position -= 1
                if position >= 0 { combination.fields[position] += 1 }
                continue
            }
            if reader.batch.fields[field].has(.container) {
                // Each element of a list may have a container; skipping it counts as a step.
                if push.hasContexts { left -= 1 }
                if left < 0 { return false }
                combination.fields[position] += 1
                continue
            }
            let isLast = position == count - 1
            // Within lists of objects, every step counts, even if it leads to no combination.
            if isLast || push.hasContexts { left -= 1 }
            if left < 0 { return false }
            combination.hashes[position] = index.spaces.hash(
                position == 0 ? start : combination.hashes[position - 1],
                adding: reader.batch.fields[field].hash
            )
            if isLast {
                addCombination(
                    of: number,
                    space: space,
                    for: push,
                    combination: combination,
                    in: index
                )
                combination.fields[position] += 1
            } else {
                position += 1
                begin(position, of: space, for: push, in: &combination)
            }
        }
        return true
    }

    /// The number of combinations of a push without lists of objects, capped at `probeLimit + 1`.
    private mutating func product(of space: KeySpace, for push: PushBatch.Push) -> Int {
        assert(!push.hasContexts, "within lists of objects not all combinations count")
        var product = 1
        for position in 0..<Int(space.attributeCount) {
            let run = reader.batch.attributeFields.fields(
                at: space.attributes[position],
                of: push.number
            )
            // A list is itself a field, besides its elements.
            var count = run.count
            for field in run where reader.batch.fields[field].has(.container) { count -= 1 }
            // The cap also prevents an overflow.
            product = min(product * count, WidgetMatcher.probeLimit + 1)
        }
        return product
    }

    /// For each attribute, finds the earlier attribute that restricts it most: values of both must
    /// come from the same element of every list on the shared part of their paths.
    private mutating func findPartners(in space: KeySpace, for combination: inout Combination) {
        for position in 0..<Int(space.attributeCount) {
            for earlier in 0..<position {
                let depth = reader.vocabulary.sharedDepth(
                    of: space.attributes[earlier],
                    and: space.attributes[position]
                )
                if depth <= combination.sharedDepths[position] { continue }
                combination.sharedDepths[position] = depth
                combination.partners[position] = earlier
            }
        }
    }

    /// Starts the choice of a field at a position, among the fields that can be combined with those
    /// chosen before.
    private mutating func begin(
        _ position: Int,
        of space: KeySpace,
        for push: PushBatch.Push,
        in combination: inout Combination
    ) {
        var run = reader.batch.attributeFields.fields(
            at: space.attributes[position],
            of: push.number
        )
        let depth = combination.sharedDepths[position]
        if depth > 0 {
            // The partner's element of the innermost list that contains both.
            let partner = combination.fields[combination.partners[position]]
            var context = reader.batch.fields[partner].context
            while context != .none {
                let element = reader.batch.contexts[push.contexts.first + context.index]
                if reader.vocabulary.depth(element.attribute) <= depth { break }
                context = element.parent
            }
            if context != .none {
                let last = reader.batch.contexts.lastWithin(context, in: push)
                run = reader.batch.fields.part(of: run, from: context, to: last)
            }
        }
        combination.fields[position] = run.lowerBound
        combination.ends[position] = run.upperBound
    }

    /// Adds the probe of a complete combination, unless an equal one has been added.
    private mutating func addCombination(
        of number: SpaceID,
        space: KeySpace,
        for push: PushBatch.Push,
        combination: Combination,
        in index: borrowing WidgetIndex
    ) {
        let count = Int(space.attributeCount)
        let hash = combination.hashes[count - 1]
        if push.hasContexts {
            let known = seen.find(hash) {
                isSame(combination, as: probes[$0], count: count, in: push)
            }
            // Different elements of a list may have the same values.
            if known != nil { return }
            seen.insert(hash, number: probes.count)
        }
        let word = UInt64(combinedFields.count)
        for position in 0..<count { combinedFields.append(UInt32(combination.fields[position])) }
        add(.equal, of: number, hash: hash, word: word, in: index)
    }

    /// Whether a combination has the same values as that of a probe.
    @inline(__always)
    private func isSame(
        _ combination: Combination,
        as probe: Probe,
        count: Int,
        in push: PushBatch.Push
    ) -> Bool {
        for position in 0..<count {
            let (left, right) = (combination.fields[position], field(of: probe, at: position))
            if reader.order.firstEqual(to: left, in: push)
                != reader.order.firstEqual(to: right, in: push)
            {
                return false
            }
        }
        return true
    }

    // MARK: - Verifying

    /// The index of the field that a probe's combination has at a position of the space.
    @inline(__always)
    private func field(of probe: Probe, at position: Int) -> Int {
        Int(combinedFields[Int(probe.word) + position])
    }

    /// Whether the key has exactly the values of the probe's combination.
    mutating func isCombination(
        _ key: KeyID,
        of probe: Probe,
        for push: PushBatch.Push,
        in index: borrowing WidgetIndex
    ) -> Bool {
        assert(probe.form == .equal, "the probe is of one field")
        for position in 0..<Int(index.spaces[probe.space].attributeCount) {
            let field = field(of: probe, at: position)
            if !index.values.equals(
                index.keys.word(of: key, at: position).value,
                field: &reader.batch.fields[field]
            ) {
                return false
            }
        }
        return true
    }
}
