internal import Basics

/// Checking that all tables agree; for tests and debug builds.
extension WidgetIndex {
    /// Asserts that the tables refer to each other correctly: that nothing is stored which no
    /// widget or rule needs, that everything needed is found, and that all is counted correctly.
    ///
    /// - Complexity: proportional to what is stored.
    package func checkInvariants() {
        let census = IndexCensus(self)
        checkWidgets(census)
        let kindCount = kinds.elements.count { $0 != nil }
        values.checkInvariants(references: census.values)
        vocabulary.names.checkInvariants(references: census.names)
        vocabulary.checkInvariants(
            uses: census.attributes,
            textTests: census.textTests,
            ruleTests: census.ruleTests,
            kindCount: kindCount,
            spaces: spaces
        )
        shapes.checkInvariants(references: census.shapes)
        spaces.checkInvariants(references: census.spaces)
        regexes.checkInvariants(references: census.regexes, in: values)
        keys.checkInvariants(expectedKeys(census))
        checkGroups(census)
    }

    /// Asserts that the widgets are counted correctly, and that each is of an installed kind if it
    /// has keys.
    private func checkWidgets(_ census: IndexCensus) {
        let count = census.shapes.values.reduce(0, +) - census.formerCount
        assert(widgets.count == count, "a widget has no shape")
        assert(census.formerCount == shapes.formerCount, "shapes with successors")
        assert(storedCost == countStoredCost(), "the cost of the widgets is not what was added")
        var undeclared = 0
        for widget in widgets.ids where isStored(widget) {
            if kinds[kind(of: widget), default: nil] == nil { undeclared += 1 }
        }
        assert(undeclared == undeclaredCount, "widgets of kinds that are gone are counted wrongly")
        assert(
            configurations.usedByteCount == census.configurationBytes,
            "blocks of widgets that are gone are kept"
        )
        for widget in widgets.ids {
            assert(widgets.isInUse(widget) == isStored(widget), "widget \(widget) is half stored")
            if !isStored(widget) || !widgets[widget].links.isLinked { continue }
            let shape = shapes[widgets[widget].shape]
            assert(shape.use != .none, "widget \(widget) has keys and matches nothing")
            assert(
                kinds[shape.kind] != nil || shape.successor != .none,
                "widget \(widget) has keys without its kind"
            )
        }
    }

    /// What each key must have.
    private func expectedKeys(_ census: IndexCensus) -> [KeyID: KeyTable.Expected] {
        var expected: [KeyID: KeyTable.Expected] = [:]
        for (key, widgets) in census.keys {
            let positions = widgets.keys.sorted()
            assert(positions == Array(0..<widgets.count), "the positions under key \(key)")
            expected[key] = KeyTable.Expected(
                hash: keyHash(of: key),
                wordCount: wordCount(of: key),
                widgets: positions.map { widgets[$0]! }
            )
        }
        return expected
    }

    /// Whether a key with this number is stored.
    func isStored(_ key: KeyID) -> Bool {
        keys.index.find(keyHash(of: key)) { (other: KeyID) in other == key } != nil
    }

    /// Asserts that the groups of each space are linked in both directions, and that their text
    /// tests are counted.
    private func checkGroups(_ census: IndexCensus) {
        var groups: [SpaceID: Int] = [:]
        for key in census.keys.keys where spaces[keys.space(key)].hasGroups {
            groups[keys.space(key), default: 0] += 1
        }
        for (number, count) in groups {
            var (linked, tests) = (0, 0)
            var before = KeyID.none
            var group = spaces.records[number].firstGroup
            while group != .none {
                let identityCount = groupIdentityCount(group)
                let former = keys.word(of: group, at: identityCount + 1).key
                assert(former == before, "the group before \(group) is another one")
                tests += Int(keys.word(of: group, at: identityCount + 2).bits)
                linked += 1
                before = group
                group = nextGroup(group)
            }
            assert(linked == count, "\(linked) of \(count) groups are linked in space \(number)")
            assert(tests == Int(spaces.records[number].patternCount), "patterns of space \(number)")
        }
    }
}
