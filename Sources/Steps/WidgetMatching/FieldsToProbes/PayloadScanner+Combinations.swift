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
extension PayloadScanner {
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
    mutating func addCombinations(of number: SpaceID, space: KeySpace, left: inout Int) -> Bool {
        assert(space.form == .equal, "space \(number) combines nothing")
        let first = combinedFields.count
        var isSingle = reader.contexts.count == 0
        var hash = keyHash(number)
        var hasContainer = false
        for position in 0..<Int(space.attributeCount) {
            let run = attributeFields.fields(at: space.attributes[position])
            if run.isEmpty {
                combinedFields.truncate(to: first)
                return true
            }
            isSingle = isSingle && run.count == 1
            if !isSingle { continue }
            let field = run.lowerBound
            hash = keyHash(hash, adding: reader.fields[field].hash)
            hasContainer = reader.fields[field].has(.container) || hasContainer
            combinedFields.append(UInt32(field))
        }
        if isSingle && !hasContainer {
            add(.equal, of: number, hash: hash, word: UInt64(first))
            return true
        }
        combinedFields.truncate(to: first)
        return isSingle || addManyCombinations(of: number, space: space, left: &left)
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
        left: inout Int
    ) -> Bool {
        let hasContexts = reader.contexts.count > 0
        if !hasContexts {
            let product = product(of: space)
            // One of the attributes has no value; perhaps an empty list.
            if product == 0 { return true }
            if product > left { return false }
        }
        let count = Int(space.attributeCount)
        var combination = Combination()
        if hasContexts { findPartners(in: space, for: &combination) }
        seen.removeAll()
        let start = keyHash(number)
        begin(0, of: space, in: &combination)
        var position = 0
        while position >= 0 {
            let field = combination.fields[position]
            if field == combination.ends[position] {
                position -= 1
                if position >= 0 { combination.fields[position] += 1 }
                continue
            }
            if reader.fields[field].has(.container) {
                // Each element of a list may have a container; skipping it counts as a step.
                if hasContexts { left -= 1 }
                if left < 0 { return false }
                combination.fields[position] += 1
                continue
            }
            let isLast = position == count - 1
            // Within lists of objects, every step counts, even if it leads to no combination.
            if isLast || hasContexts { left -= 1 }
            if left < 0 { return false }
            combination.hashes[position] = keyHash(
                position == 0 ? start : combination.hashes[position - 1],
                adding: reader.fields[field].hash
            )
            if isLast {
                addCombination(of: number, space: space, combination: combination)
                combination.fields[position] += 1
            } else {
                position += 1
                begin(position, of: space, in: &combination)
            }
        }
        return true
    }

    /// The number of combinations of a push without lists of objects, capped at `probeLimit + 1`.
    private mutating func product(of space: KeySpace) -> Int {
        assert(reader.contexts.count == 0, "within lists of objects not all combinations count")
        var product = 1
        for position in 0..<Int(space.attributeCount) {
            let run = attributeFields.fields(at: space.attributes[position])
            // A list is itself a field, besides its elements.
            var count = run.count
            for field in run where reader.fields[field].has(.container) { count -= 1 }
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
        in combination: inout Combination
    ) {
        var run = attributeFields.fields(at: space.attributes[position])
        let depth = combination.sharedDepths[position]
        if depth > 0 {
            // The partner's element of the innermost list that contains both.
            let partner = combination.fields[combination.partners[position]]
            var context = reader.fields[partner].context
            while context != .none {
                let element = reader.contexts[context.index]
                if reader.vocabulary.depth(element.attribute) <= depth { break }
                context = element.parent
            }
            if context != .none {
                let last = reader.contexts[context.index].last
                run = reader.fields.part(of: run, from: context, to: last)
            }
        }
        combination.fields[position] = run.lowerBound
        combination.ends[position] = run.upperBound
    }

    /// Adds the probe of a complete combination, unless an equal one has been added.
    private mutating func addCombination(
        of number: SpaceID,
        space: KeySpace,
        combination: Combination
    ) {
        let count = Int(space.attributeCount)
        let hash = combination.hashes[count - 1]
        if reader.contexts.count > 0 {
            let known = seen.find(hash) { isSame(combination, as: reader.probes[$0], count: count) }
            // Different elements of a list may have the same values.
            if known != nil { return }
            seen.insert(hash, number: reader.probes.count)
        }
        let word = UInt64(combinedFields.count)
        for position in 0..<count { combinedFields.append(UInt32(combination.fields[position])) }
        add(.equal, of: number, hash: hash, word: word)
    }

    /// Whether a combination has the same values as that of a probe.
    @inline(__always)
    private func isSame(_ combination: Combination, as probe: ScannedProbe, count: Int) -> Bool {
        for position in 0..<count {
            let other = Int(combinedFields[Int(probe.word) + position])
            if order.firstEqual(to: combination.fields[position]) != order.firstEqual(to: other) {
                return false
            }
        }
        return true
    }
}
