internal import DataStructures
package import ReloadModel
internal import StrictJSON

/// Declaration of the kinds' lists of fields, which come and change with the app file.
extension FieldCatalog {
    /// The longest name of a field, in bytes of UTF-8.
    package static var nameByteLimit: Int { RouterLimits.identifierBytes }
    /// The longest JSON object of inlined values that RELOAD has for one widget, in bytes.
    package static var inlinedByteLimit: Int { 512 }
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
    /// The same lists again, in the same order, change nothing. Different lists start a new
    /// generation of the kind: the values that its widgets had are no longer used, so that a first
    /// value is a change again, and pushes that were read before are a change whatever values they
    /// have.
    ///
    /// - Returns: whether the lists were different.
    @discardableResult
    package mutating func declare(
        app: AppID,
        kind: KindID,
        observes: [String],
        inlines: [String]
    ) -> Bool {
        let problem = Self.problem(observes: observes, inlines: inlines)
        precondition(problem == nil, problem ?? "")
        apps.reserve(through: app, filling: App())
        kinds.reserve(through: kind, filling: .none)
        let old = kinds[kind]
        precondition(old.count == 0 || old.app == app, "a kind belongs to one app")
        var new = makeList(of: app, observes: observes, inlines: inlines)
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

    /// Whether two lists have the same fields, observed and inlined alike, in the same order.
    private func isSame(_ old: KindFields, as new: KindFields) -> Bool {
        if old.count != new.count || old.inlinedCount != new.inlinedCount { return false }
        if old.observed != new.observed { return false }
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
        if list.count == 0 { return }
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
            let id = field(name, of: app) ?? insert(name, of: app)
            fields[id].observerCount += isObserved ? 1 : 0
            fields[id].inlinerCount += isInlined ? 1 : 0
            apps[app].fieldCount += 1
            apps[app].filter |= Self.filterBit(name)
            return id
        }
    }

    /// Stores a name that no list of the app has had so far.
    private mutating func insert(_ name: ByteView, of app: AppID) -> FieldID {
        assert(field(name, of: app) == nil, "the name is stored already")
        let block: ArenaBlock = bytes.store(name)
        let field = Field(app: app, nameCount: UInt16(name.count), name: block)
        let id = fields.insert(field)
        names.insert(hash(name, of: app), number: id)
        return id
    }

    /// Counts a name once less, and removes it when no list has it any more.
    private mutating func release(_ id: FieldID, isObserved: Bool, isInlined: Bool) {
        assert(!isObserved || fields[id].observerCount > 0, "observed less than never")
        assert(!isInlined || fields[id].inlinerCount > 0, "inlined less than never")
        fields[id].observerCount -= isObserved ? 1 : 0
        fields[id].inlinerCount -= isInlined ? 1 : 0
        let field = fields[id]
        // Bits of removed names stay in the filter until no name is left; they only cost a lookup.
        apps[field.app].fieldCount -= 1
        if apps[field.app].fieldCount == 0 { apps[field.app].filter = 0 }
        if field.observerCount > 0 || field.inlinerCount > 0 { return }
        names.remove(
            hash(unsafe bytes.view(field.name, count: Int(field.nameCount)), of: field.app),
            number: id
        )
        unsafe bytes.free(field.name, byteCount: Int(field.nameCount))
        fields.remove(id)
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
