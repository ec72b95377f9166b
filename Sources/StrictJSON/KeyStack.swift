public import ByteStorage

/// The keys of all open objects, to find one that stands twice.
///
///     levels   [ object, keys from 0 ] [ array ] [ object, keys from 5 ]
///     keys     [ k0 k1 k2 k3 k4 | k5 k6 … ]
///
/// A key is compared with its object's earlier ones by length and first eight bytes, which settles
/// nearly all. From the 17th key of an object on a hash table takes over, so that ten thousand keys
/// cost ten thousand times one.
@safe @usableFromInline
struct KeyStack: ~Copyable {
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

    @usableFromInline
    struct Level {
        @usableFromInline var firstKey: Int
        @usableFromInline var isObject: Bool
        /// Names the object in the table; 0 while it has few keys and is not there.
        @usableFromInline var serial: UInt32

        @inlinable @inline(__always)
        init(firstKey: Int, isObject: Bool) {
            self.firstKey = firstKey
            self.isObject = isObject
            serial = 0
        }
    }

    @inlinable static var linearLimit: Int { 16 }

    @usableFromInline var keys: UnsafeMutablePointer<Key>
    @usableFromInline var capacity = 256
    @usableFromInline var count = 0
    @usableFromInline let levels: UnsafeMutablePointer<Level>
    @usableFromInline var depth = 0
    private var table: ContiguousArray<Entry> = []
    private var tableUsed = 0
    private var lastSerial: UInt32 = 0
    private let seed: UInt64

    /// A place in the table: which object, and which of the keys. Serial 0 is an empty place.
    private struct Entry: BitwiseCopyable {
        var serial: UInt32 = 0
        var key: UInt32 = 0
    }

    init(depthLimit: Int, seed: UInt64) {
        unsafe keys = .allocate(capacity: 256)
        unsafe levels = .allocate(capacity: depthLimit)
        self.seed = seed
    }

    @inlinable deinit {
        unsafe keys.deallocate()
        unsafe levels.deallocate()
    }

    @inlinable @inline(__always)
    var isInObject: Bool { unsafe levels[depth &- 1].isObject }

    @inlinable @inline(__always)
    mutating func reset() {
        count = 0
        depth = 0
    }

    @inlinable @inline(__always)
    mutating func open(isObject: Bool) {
        unsafe (levels + depth).initialize(to: Level(firstKey: count, isObject: isObject))
        depth &+= 1
    }

    @inlinable @inline(__always)
    mutating func close() {
        depth &-= 1
        unsafe count = levels[depth].firstKey
    }

    /// Adds a key of the innermost object; returns false if the object has it already.
    @inlinable @inline(__always)
    mutating func insert(_ view: ByteView) -> Bool {
        let key = Key(view)
        let first = unsafe levels[depth &- 1].firstKey
        if count &- first >= Self.linearLimit { return insertHashed(key, first) }
        var index = first
        while index < count {
            if unsafe keys[index].equals(key) { return false }
            index &+= 1
        }
        append(key)
        return true
    }

    @inlinable @inline(__always)
    mutating func append(_ key: Key) {
        if count == capacity { grow() }
        unsafe (keys + count).initialize(to: key)
        count &+= 1
    }

    @usableFromInline @inline(never)
    mutating func grow() {
        let larger = UnsafeMutablePointer<Key>.allocate(capacity: capacity * 2)
        unsafe larger.moveInitialize(from: keys, count: count)
        unsafe keys.deallocate()
        unsafe keys = unsafe larger
        capacity *= 2
    }

    // MARK: - Objects with many keys

    @usableFromInline @inline(never)
    mutating func insertHashed(_ key: Key, _ first: Int) -> Bool {
        if unsafe levels[depth - 1].serial == 0 {
            lastSerial &+= 1
            // After four thousand million large objects the numbers begin anew.
            if lastSerial == 0 { clearTable() }
            unsafe levels[depth - 1].serial = lastSerial
            for index in first..<count { _ = unsafe place(index, keys[index]) }
        }
        let index = count
        append(key)
        if place(index, key) { return true }
        count -= 1
        return false
    }

    private mutating func clearTable() {
        for index in table.indices { table[index] = Entry() }
        tableUsed = 0
        lastSerial = 1
    }

    /// Enters a key of the innermost object into the table; returns false if an equal one is there.
    private mutating func place(_ index: Int, _ key: Key) -> Bool {
        if (tableUsed + 1) * 2 > table.count { rebuildTable() }
        let serial = unsafe levels[depth - 1].serial
        let position = find(key, serial)
        if table[position].serial != 0 { return false }
        table[position] = Entry(serial: serial, key: UInt32(index))
        tableUsed += 1
        return true
    }

    /// Where the key stands, or the empty place where it would.
    private func find(_ key: Key, _ serial: UInt32) -> Int {
        let mask = table.count - 1
        var position = Int(truncatingIfNeeded: hashBytes(key.view, seed: seed &+ UInt64(serial)))
        while true {
            position &= mask
            let entry = table[position]
            if entry.serial == 0 { return position }
            if entry.serial == serial, unsafe keys[Int(entry.key)].equals(key) { return position }
            position += 1
        }
    }

    /// Makes room: entries of objects that are closed are dropped, and the table grows if the rest
    /// still fills a quarter.
    private mutating func rebuildTable() {
        let old = table
        var open: [UInt32] = []
        for level in 0..<depth { unsafe open.append(levels[level].serial) }
        let live = old.filter { $0.serial != 0 && open.contains($0.serial) }
        let size = max(64, live.count * 4 > old.count ? old.count * 2 : old.count)
        table = ContiguousArray(repeating: Entry(), count: size)
        tableUsed = live.count
        for entry in live {
            table[find(unsafe keys[Int(entry.key)], entry.serial)] = entry
        }
    }
}
