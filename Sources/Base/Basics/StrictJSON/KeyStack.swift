/// The keys of all open objects of a document, with which `JSONScanner` finds duplicate keys.
///
///     levels   [ object, keys from 0 ] [ array ] [ object, keys from 5 ]
///     keys     [ k0 k1 k2 k3 k4 | k5 k6 … ]
///
/// A key is compared with the earlier keys of its object by length and first eight bytes, in which
/// nearly all keys differ. From an object's 17th key on a hash table is used instead, so that the
/// cost of a key does not grow with their number, whatever they are: the hash is keyed, and if
/// lookups take more steps than chance explains, the table is rebuilt under another hash key.
@safe @usableFromInline
struct KeyStack: ~Copyable {
    /// A key, with its first eight bytes as a word for comparisons.
    @usableFromInline
    struct Key {
        @usableFromInline var prefix: UInt64
        @usableFromInline var view: ByteView

        @inlinable @inline(__always)
        init(_ view: ByteView) {
            prefix = view.prefixWord
            self.view = view
        }

        @inlinable @inline(__always)
        func equals(_ other: Key) -> Bool {
            prefix == other.prefix && view.count == other.view.count
                && (view.count <= 8 || view == other.view)
        }
    }

    /// An open object or array.
    @usableFromInline
    struct Level {
        /// The index in `keys` of the first key of the object.
        @usableFromInline var firstKey: Int
        @usableFromInline var isObject: Bool
        /// The object's identity in the hash table; 0 while its keys are few and not in the table.
        @usableFromInline var serial: UInt64

        @inlinable @inline(__always)
        init(firstKey: Int, isObject: Bool) {
            self.firstKey = firstKey
            self.isObject = isObject
            serial = 0
        }
    }

    /// The number of keys up to which an object's keys are compared one by one.
    @inlinable static var linearLimit: Int { 16 }

    @usableFromInline var keys: UnsafeMutablePointer<Key>
    @usableFromInline var capacity = 256
    @usableFromInline var count = 0
    /// The open objects and arrays, the outermost first, after one level that is never left: so
    /// there is an innermost one always, and asking for it needs no check.
    @usableFromInline let levels: UnsafeMutablePointer<Level>
    /// The number of levels for which there is memory, besides that first one.
    @usableFromInline let depthLimit: Int
    @usableFromInline var depth = 0
    private var table: ContiguousArray<Entry> = []
    /// The number of slots of `table` that are in use.
    private var tableUsed = 0
    /// Grows with every object in the table and never repeats: at a million a second, 64 bits last
    /// for half a million years.
    private var lastSerial: UInt64 = 0
    /// The last serial of earlier documents: entries with serials up to it count as empty slots.
    private var staleSerial: UInt64 = 0
    /// True until an object of this document is given a serial.
    @usableFromInline var firstLargeObjectIsAhead = true
    private var hashKey: HashKey
    /// Lookups since the table was built or the document began, and the entries that they examined.
    private var lookups = 0
    private var steps = 0
    /// The entries examined and the tables rebuilt for collisions since the stack was made, for
    /// tests.
    private(set) var stepCount = 0
    private(set) var rekeyCount = 0

    /// A slot of the table: the object, and the index of one of its keys.
    ///
    /// A slot counts as empty if its object belongs to an earlier document, so the table never
    /// needs to be cleared.
    private struct Entry: BitwiseCopyable {
        /// The serial of the object, as in `Level.serial`; 0 in a slot that was never used.
        var serial: UInt64 = 0
        var key: UInt32 = 0
        /// The half of the key's hash that does not select the slot.
        var fingerprint: UInt32 = 0
    }

    init(depthLimit: Int, hashKey: HashKey) {
        unsafe keys = .allocate(capacity: 256)
        unsafe levels = .allocate(capacity: depthLimit + 1)
        unsafe levels.initialize(to: Level(firstKey: 0, isObject: false))
        self.depthLimit = depthLimit
        self.hashKey = hashKey
    }

    @inlinable deinit {
        unsafe keys.deallocate()
        unsafe levels.deallocate()
    }

    /// Whether the innermost open container is an object rather than an array.
    @inlinable @inline(__always)
    var isInObject: Bool { unsafe levels[depth].isObject }

    /// Begins a document; nothing is open.
    @inlinable @inline(__always)
    mutating func reset() {
        count = 0
        depth = 0
        firstLargeObjectIsAhead = true
    }

    /// Enters an object or array, which has no keys yet.
    @inlinable @inline(__always)
    mutating func open(isObject: Bool) {
        precondition(depth < depthLimit, "more is open than the limit allows")
        depth &+= 1
        unsafe (levels + depth).initialize(to: Level(firstKey: count, isObject: isObject))
    }

    /// Leaves the innermost object or array, and forgets its keys.
    @inlinable @inline(__always)
    mutating func close() {
        precondition(depth > 0, "nothing is open")
        unsafe count = levels[depth].firstKey
        depth &-= 1
    }

    /// Adds a key to the innermost object; returns false if the object has it already.
    @inlinable @inline(__always)
    mutating func insert(_ view: ByteView) -> Bool {
        assert(depth > 0, "nothing is open")
        let key = Key(view)
        let first = unsafe levels[depth].firstKey
        if count &- first >= Self.linearLimit { return insertHashed(key, firstKey: first) }
        var index = first
        while index < count {
            if unsafe keys[index].equals(key) { return false }
            index &+= 1
        }
        append(key)
        return true
    }

    /// Adds a key to the innermost object, unchecked.
    @inlinable @inline(__always)
    mutating func append(_ key: Key) {
        if count == capacity { grow() }
        unsafe (keys + count).initialize(to: key)
        count &+= 1
    }

    /// Doubles the memory for keys.
    @usableFromInline @inline(never)
    mutating func grow() {
        let larger = UnsafeMutablePointer<Key>.allocate(capacity: capacity * 2)
        unsafe larger.moveInitialize(from: keys, count: count)
        unsafe keys.deallocate()
        unsafe keys = unsafe larger
        capacity *= 2
    }

    // MARK: - Objects with many keys

    /// Does what `insert` does for an object that has `linearLimit` keys or more.
    @usableFromInline @inline(never)
    mutating func insertHashed(_ key: Key, firstKey first: Int) -> Bool {
        if unsafe levels[depth].serial == 0 { beginHashing(first) }
        let index = count
        append(key)
        if place(index, of: key, serial: unsafe levels[depth].serial) { return true }
        count -= 1
        return false
    }

    /// Gives the innermost object a serial, and puts the keys that it has into the table.
    private mutating func beginHashing(_ first: Int) {
        if firstLargeObjectIsAhead {
            staleSerial = lastSerial
            tableUsed = 0
            lookups = 0
            steps = 0
            firstLargeObjectIsAhead = false
        }
        lastSerial += 1
        unsafe levels[depth].serial = lastSerial
        for index in first..<count { _ = place(index, of: unsafe keys[index], serial: lastSerial) }
    }

    /// Puts a key into the table, which grows if need be; returns false if its object has the key
    /// there.
    private mutating func place(_ index: Int, of key: Key, serial: UInt64) -> Bool {
        if (tableUsed + 1) * 2 > table.count { growTable(holding: index) }
        if hasTooManySteps { rekey(holding: index) }
        return put(index, of: key, serial: serial)
    }

    /// Does what `place` does in a table that has free slots.
    private mutating func put(_ index: Int, of key: Key, serial: UInt64) -> Bool {
        let hash = hashKey.hash(serial, followedBy: key.view)
        let fingerprint = UInt32(truncatingIfNeeded: hash >> 32)
        let mask = table.count - 1
        var position = Int(truncatingIfNeeded: hash) & mask
        let first = position
        defer {
            let distance = (position - first) & mask + 1
            lookups += 1
            steps += distance
            stepCount += distance
        }
        while table[position].serial > staleSerial {
            let entry = table[position]
            if entry.fingerprint == fingerprint && entry.serial == serial,
                unsafe keys[Int(entry.key)].equals(key)
            {
                return false
            }
            position = (position + 1) & mask
        }
        table[position] = Entry(serial: serial, key: UInt32(index), fingerprint: fingerprint)
        tableUsed += 1
        return true
    }

    /// Doubles the table. It never shrinks, so a later document like this one does not allocate.
    private mutating func growTable(holding end: Int) {
        table = ContiguousArray(repeating: Entry(), count: max(64, table.count * 2))
        refillTable(holding: end)
        if hasTooManySteps { rekey(holding: end) }
    }

    /// Puts keys into the empty table until all are there, or lookups have taken too many steps.
    ///
    /// These are the keys of open objects; of the innermost one, only those before `end`, which
    /// were in the table. Keys of closed objects are not in memory any more.
    private mutating func refillTable(holding end: Int) {
        tableUsed = 0
        lookups = 0
        steps = 0
        for level in 1...depth where unsafe levels[level].serial != 0 {
            let serial = unsafe levels[level].serial
            let first = unsafe levels[level].firstKey
            let next = level < depth ? unsafe levels[level + 1].firstKey : end
            for index in first..<next {
                _ = put(index, of: unsafe keys[index], serial: serial)
                if hasTooManySteps { return }
            }
        }
    }

    // MARK: - Keys that collide

    /// Whether lookups have taken more steps than chance explains.
    ///
    /// In a table that is half full, a new key takes two and a half on average. For keys that were
    /// not chosen to collide, the lookups of a document never take more than eight steps each and
    /// 64 in addition.
    private var hasTooManySteps: Bool { steps > 64 + 8 * lookups }

    /// Rebuilds the table under other hash keys, until one of them is good.
    ///
    /// So each key costs a few steps even if the sender knows the hash key: to collide again, its
    /// keys would have to collide under each of several hash keys, and such keys cannot be found.
    /// An attempt is given up as soon as its lookups have taken too many steps.
    private mutating func rekey(holding end: Int) {
        repeat {
            hashKey = hashKey.subkey(0)
            rekeyCount += 1
            for position in table.indices { table[position] = Entry() }
            refillTable(holding: end)
        } while hasTooManySteps
    }
}
