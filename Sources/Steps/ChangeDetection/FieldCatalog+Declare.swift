package import Basics
internal import EventPatterns

/// Declaration of the kinds' lists of fields, which come and change with the app file.
extension FieldCatalog {
    /// The longest name of a field, in bytes of UTF-8.
    package static var nameByteLimit: Int { RouterLimits.identifierBytes }
    /// The longest JSON object of inlined values that RELOAD has for one widget, in bytes.
    package static var inlinedByteLimit: Int { 512 }
    /// The most fields of a rule's key that are considered; pushes that differ at further ones
    /// alone have the same key.
    static var keyFieldLimit: Int { 4 }
    /// Deepest nesting of an inlined value; in RELOAD it lies inside three objects.
    package static var inlinedDepthLimit: Int { RouterLimits.jsonDepth - 3 }

    /// Checks a kind's fields: returns a sentence that says what is wrong, or nil. `declare` traps
    /// on lists for which this is not nil.
    package static func problem(observes: [String], inlines: [String]) -> String? {
        let all = distinct(inlines + observes)
        if all.count > KindPolicy.fieldLimit {
            return "\"observes\" and \"inlines\" name \(all.count) different fields; "
                + "at most \(KindPolicy.fieldLimit) are allowed"
        }
        if let long = all.first(where: { $0.count > nameByteLimit }) {
            return "a name in \"observes\" or \"inlines\" has \(long.count) bytes; "
                + "at most \(nameByteLimit) are allowed"
        }
        // Each value counts with its shortest length, 1 byte, and the comma or brace after it.
        let least = distinct(inlines).reduce(1) { $0 + key($1).count + 2 }
        if least > inlinedByteLimit {
            return "the names in \"inlines\" alone take \(least) bytes of RELOAD's values; "
                + "at most \(inlinedByteLimit) are allowed for a widget"
        }
        return nil
    }

    /// Sets the observed and the inlined fields of a kind, replacing its previous lists; empty
    /// lists for a kind that was removed. Returns whether the lists were different.
    ///
    /// Pushes differ by what they have at `keys`, the paths of the values by which the kind's rule
    /// finds widgets, and ordered by `newest`. Without observed fields that are not inlined, and
    /// without a newest one, keys are of no use and are left out.
    ///
    /// The same lists again, in the same order, change nothing. Different lists start a new
    /// generation of the kind: the values that its widgets had are no longer used, so that a first
    /// value is a change again, and pushes that were read before are a change whatever values they
    /// have.
    @discardableResult
    package mutating func declare(
        app: AppID,
        kind: KindID,
        observes: [String],
        inlines: [String],
        newest: String? = nil,
        keys: [[String]] = []
    ) -> Bool {
        let problem = Self.problem(observes: observes, inlines: inlines)
        precondition(problem == nil, problem ?? "")
        apps.reserve(through: app, filling: App())
        kinds.reserve(through: kind, filling: .none)
        let old = kinds[kind]
        precondition(old.isEmpty || old.app == app, "a kind belongs to one app")
        let inlined = Self.distinct(inlines)
        let hasUse = newest != nil || Self.distinct(observes).contains { !inlined.contains($0) }
        let keys = hasUse ? Array(keys.prefix(Self.keyFieldLimit)) : []
        var new = makeList(
            of: app,
            observes: observes,
            inlines: inlines,
            newest: newest,
            keys: keys
        )
        if uses(of: old).elementsEqual(uses(of: new), by: ==) {
            release(new)
            return false
        }
        generation = generation.next
        generations.remove(old.generation)
        generations.insert(generation)
        new.generation = generation
        release(old)
        kinds[kind] = new
        return true
    }

    /// The paths of a rule's key that can be fields of a catalog.
    package static func keys(of rule: EventPattern?) -> [[String]] {
        let paths = rule?.keyPaths ?? []
        return Array(
            paths.filter { path in
                path.allSatisfy { (1...nameByteLimit).contains($0.utf8.count) }
            }.prefix(keyFieldLimit)
        )
    }

    /// Stores a list, and counts its fields.
    private mutating func makeList(
        of app: AppID,
        observes: [String],
        inlines: [String],
        newest: String?,
        keys: [[String]]
    ) -> KindFields {
        let inlined = Self.distinct(inlines)
        let observed = Self.distinct(observes)
        let all = inlined + observed.filter { !inlined.contains($0) }
        if all.isEmpty && newest == nil { return .none }
        var list = KindFields.none
        list.app = app
        list.count = UInt8(all.count)
        list.inlinedCount = UInt8(inlined.count)
        list.keyCount = UInt8(keys.count)
        list.hasNewest = newest != nil
        var content: [UInt8] = []
        func append(_ value: some FixedWidthInteger & BitwiseCopyable) {
            unsafe withUnsafeBytes(of: value.littleEndian) { unsafe content += $0 }
        }
        for (position, name) in all.enumerated() {
            var use = position < inlined.count ? Field.inlined : .zero
            if observed.contains(name) {
                list.observed.insert(FieldPositions(position))
                use &+= Field.observed
            }
            append(acquire([name], of: app, for: use).rawValue)
        }
        let names = inlined.map(Self.key)
        var end: UInt16 = 0
        for name in names {
            end += UInt16(name.count)
            append(end)
        }
        content += names.joined()
        for path in keys {
            append(acquire(path.map { Array($0.utf8) }, of: app, for: Field.key).rawValue)
        }
        if let newest { append(acquire([Array(newest.utf8)], of: app, for: Field.newest).rawValue) }
        list.listByteCount = UInt32(content.count)
        list.list = content.withByteView { bytes.store($0) }
        return list
    }

    /// Frees a list and releases its fields.
    private mutating func release(_ list: KindFields) {
        if list.isEmpty { return }
        for (id, uses) in uses(of: list) {
            assert(all(uses .<= fields[id].uses), "a field is released more often than acquired")
            fields[id].uses &-= uses
            // Bits of removed names stay in the filter until no name is left; they only cost a
            // lookup.
            apps[list.app].fieldCount -= 1
            if apps[list.app].fieldCount == 0 { apps[list.app].filter = 0 }
            removeUnused(id)
        }
        unsafe bytes.free(list.list, byteCount: Int(list.listByteCount))
    }

    // MARK: - Names

    /// The id of the last name of a path, for which the app has one field more.
    private mutating func acquire(
        _ path: [[UInt8]],
        of app: AppID,
        for use: SIMD4<UInt32>
    ) -> FieldID {
        var id = FieldID.none
        for name in path {
            id = name.withByteView { name in
                if id.isNone { apps[app].filter |= Self.filterBit(name) }
                return field(name, of: app, in: id) ?? insert(name, of: app, in: id)
            }
        }
        precondition(!id.isNone, "a path has no name")
        fields[id].uses &+= use
        apps[app].fieldCount += 1
        return id
    }

    /// Stores a name that no list of the app has had so far.
    private mutating func insert(_ name: ByteView, of app: AppID, in parent: FieldID) -> FieldID {
        assert(field(name, of: app, in: parent) == nil, "the name is stored already")
        let block: ArenaBlock = bytes.store(name)
        let field = Field(app: app, parent: parent, nameCount: UInt16(name.count), name: block)
        let id = fields.insert(field)
        names.insert(hash(name, of: app, in: parent), number: id)
        if !parent.isNone { fields[parent].childCount += 1 }
        return id
    }

    /// Removes a field that no list has and in which no other is, and then those around it.
    private mutating func removeUnused(_ id: FieldID) {
        let field = fields[id]
        if field.hasValue || field.childCount > 0 { return }
        let name = unsafe bytes.view(field.name, count: Int(field.nameCount))
        names.remove(hash(name, of: field.app, in: field.parent), number: id)
        unsafe bytes.free(field.name, byteCount: Int(field.nameCount))
        fields.remove(id)
        if field.parent.isNone { return }
        fields[field.parent].childCount -= 1
        removeUnused(field.parent)
    }

    /// The different names as UTF-8. They are compared by their bytes: Swift's strings are equal if
    /// they are canonically equivalent, while names in a payload are not.
    private static func distinct(_ names: [String]) -> [[UInt8]] {
        var distinct: [[UInt8]] = []
        for name in names.map({ Array($0.utf8) }) where !distinct.contains(name) {
            distinct.append(name)
        }
        return distinct
    }

    /// The name as a JSON key, with quotation marks, escapes and colon.
    private static func key(_ name: [UInt8]) -> [UInt8] {
        var writer = JSONWriter()
        writer.key(String(decoding: name, as: UTF8.self))
        return writer.bytes
    }
}
