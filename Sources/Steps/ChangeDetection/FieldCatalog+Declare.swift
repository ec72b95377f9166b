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
    /// lists for a kind that was removed.
    ///
    /// Without observed fields that are not inlined, and without a newest one, keys are of no use
    /// and are left out.
    ///
    /// The same lists again, in the same order, change nothing. Different lists start a new
    /// generation of the kind: the values that its widgets had are no longer used, so that a first
    /// value is a change again, and pushes that were read before are a change whatever values they
    /// have.
    ///
    /// - Parameters:
    ///   - app: the kind's app.
    ///   - kind: the kind.
    ///   - observes: the observed fields.
    ///   - inlines: the inlined fields.
    ///   - newest: the field that says how new an update is.
    ///   - keys: the paths of the values by which the kind's rule finds widgets.
    /// - Returns: whether the lists were different.
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
        var new = makeList(of: app, observes: observes, inlines: inlines)
        addOrder(newest, keys: keys, to: &new, of: app)
        if isSame(old, as: new) {
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

    /// Whether two lists have the same fields, observed and inlined alike, in the same order.
    private func isSame(_ old: KindFields, as new: KindFields) -> Bool {
        if old.count != new.count || old.inlinedCount != new.inlinedCount { return false }
        if old.observed != new.observed || old.keyCount != new.keyCount { return false }
        if old.hasNewest != new.hasNewest { return false }
        if old.hasNewest && newestField(of: old) != newestField(of: new) { return false }
        for index in 0..<Int(old.keyCount)
        where keyField(at: index, of: old) != keyField(at: index, of: new) { return false }
        return (0..<Int(old.count)).allSatisfy { field(at: $0, of: old) == field(at: $0, of: new) }
    }

    /// Stores a list and counts its fields.
    private mutating func makeList(
        of app: AppID,
        observes: [String],
        inlines: [String]
    ) -> KindFields {
        var list = KindFields.none
        list.app = app
        let inlined = Self.distinct(inlines)
        let observed = Self.distinct(observes)
        let all = inlined + observed.filter { !inlined.contains($0) }
        if all.isEmpty { return list }
        list.count = UInt8(all.count)
        list.inlinedCount = UInt8(inlined.count)
        var ids: [FieldID] = []
        for (position, name) in all.enumerated() {
            let isObserved = observed.contains(name)
            if isObserved { list.observed.insert(FieldPositions(position)) }
            ids.append(
                acquire(name, of: app, isObserved: isObserved, isInlined: position < inlined.count)
            )
        }
        store(&list, ids: ids, keys: inlined.map(Self.key))
        return list
    }

    /// Adds the fields that say of what an update is and how new to a list that has been made.
    private mutating func addOrder(
        _ newest: String?,
        keys: [[String]],
        to list: inout KindFields,
        of app: AppID
    ) {
        if keys.isEmpty && newest == nil { return }
        list.app = app
        var ids: [FieldID] = []
        for path in keys {
            let id = acquire(path.map { Array($0.utf8) }, of: app)
            fields[id].keyCount += 1
            ids.append(id)
        }
        if let newest {
            let id = acquire([Array(newest.utf8)], of: app)
            fields[id].orderCount += 1
            ids.append(id)
        }
        var content: [UInt8] = []
        if list.listByteCount > 0 {
            let byteCount = Int(list.listByteCount)
            content = unsafe bytes.view(list.list, count: byteCount).array
            unsafe bytes.free(list.list, byteCount: byteCount)
        }
        for id in ids {
            unsafe withUnsafeBytes(of: id.rawValue.littleEndian) { unsafe content += $0 }
        }
        list.keyCount = UInt8(keys.count)
        list.hasNewest = newest != nil
        list.listByteCount = UInt32(content.count)
        list.list = content.withByteView { bytes.store($0) }
    }

    /// Stores the ids and keys of a list in `bytes`.
    private mutating func store(_ list: inout KindFields, ids: [FieldID], keys: [[UInt8]]) {
        assert(ids.count == list.count && keys.count == list.inlinedCount, "the list is counted")
        var content: [UInt8] = []
        func append(_ value: some FixedWidthInteger & BitwiseCopyable) {
            var rest = value.littleEndian
            for _ in 0..<value.bitWidth / 8 {
                content.append(UInt8(truncatingIfNeeded: rest))
                rest >>= 8
            }
        }
        for id in ids { append(id.rawValue) }
        var end: UInt16 = 0
        for key in keys {
            end += UInt16(key.count)
            append(end)
        }
        for key in keys { content += key }
        list.listByteCount = UInt32(content.count)
        list.list = content.withByteView { bytes.store($0) }
    }

    /// Frees a list and releases its fields.
    private mutating func release(_ list: KindFields) {
        if list.isEmpty { return }
        for index in 0..<Int(list.keyCount) {
            let id = keyField(at: index, of: list)
            fields[id].keyCount -= 1
            releaseUse(of: id)
        }
        if list.hasNewest {
            let id = newestField(of: list)
            fields[id].orderCount -= 1
            releaseUse(of: id)
        }
        for position in 0..<Int(list.count) {
            release(
                field(at: position, of: list),
                isObserved: list.observed[position],
                isInlined: position < list.inlinedCount
            )
        }
        unsafe bytes.free(list.list, byteCount: Int(list.listByteCount))
    }

    // MARK: - Names

    /// The id of a name, which is counted once more.
    private mutating func acquire(
        _ name: [UInt8],
        of app: AppID,
        isObserved: Bool,
        isInlined: Bool
    ) -> FieldID {
        name.withByteView { name in
            let id = field(name, of: app) ?? insert(name, of: app, in: .none)
            fields[id].observerCount += isObserved ? 1 : 0
            fields[id].inlinerCount += isInlined ? 1 : 0
            apps[app].fieldCount += 1
            apps[app].filter |= Self.filterBit(name)
            return id
        }
    }

    /// The id of the last name of a path, for which the app has one field more.
    private mutating func acquire(_ path: [[UInt8]], of app: AppID) -> FieldID {
        var id = FieldID.none
        for name in path {
            id = name.withByteView { name in
                if id.isNone { apps[app].filter |= Self.filterBit(name) }
                return field(name, of: app, in: id) ?? insert(name, of: app, in: id)
            }
        }
        precondition(!id.isNone, "a path has no name")
        apps[app].fieldCount += 1
        return id
    }

    /// Stores a name that no list of the app has had so far.
    private mutating func insert(
        _ name: ByteView,
        of app: AppID,
        in parent: FieldID
    ) -> FieldID {
        assert(field(name, of: app, in: parent) == nil, "the name is stored already")
        let block: ArenaBlock = bytes.store(name)
        let field = Field(
            app: app,
            parent: parent,
            nameCount: UInt16(name.count),
            name: block
        )
        let id = fields.insert(field)
        names.insert(hash(name, of: app, in: parent), number: id)
        if !parent.isNone { fields[parent].childCount += 1 }
        return id
    }

    /// Counts a name once less, and removes it when no list has it any more.
    private mutating func release(_ id: FieldID, isObserved: Bool, isInlined: Bool) {
        assert(!isObserved || fields[id].observerCount > 0, "observed less than never")
        assert(!isInlined || fields[id].inlinerCount > 0, "inlined less than never")
        fields[id].observerCount -= isObserved ? 1 : 0
        fields[id].inlinerCount -= isInlined ? 1 : 0
        releaseUse(of: id)
    }

    /// Counts a field of an app once less.
    private mutating func releaseUse(of id: FieldID) {
        let app = fields[id].app
        // Bits of removed names stay in the filter until no name is left; they only cost a lookup.
        apps[app].fieldCount -= 1
        if apps[app].fieldCount == 0 { apps[app].filter = 0 }
        removeUnused(id)
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
