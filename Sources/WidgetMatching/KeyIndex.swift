internal import ByteStorage
internal import ReloadModel

/// From a typed value at an attribute to the widgets that wait for it.
///
///     hash ─► shard (top 8 bits) ─► slot { fingerprint, key, postings }
///     key  ─► [ attribute u32 | tag u8, length u24 | bytes ] in the arena
///
/// There are 256 tables, each growing for itself, so that growth never holds the loop up for long.
/// A lookup is made in stages, so that the cache misses of a batch of pushes overlap: `prefetch`,
/// then `candidate`, then `confirm`.
@safe
struct KeyIndex: ~Copyable {
    private static var shardCount: Int { 256 }
    private static var keyHeader: Int { 8 }
    /// The longest value that a key can have.
    static var valueLimit: Int { 1 << 19 }

    let hash: ValueHash
    let shards: UnsafeMutablePointer<ProbeTable<KeySlot>>
    var keys = ByteArena()
    var postings = PostingStore()
    /// How many keys there are.
    private(set) var keyCount = 0

    init(seed: UInt64) {
        hash = ValueHash(seed: seed)
        unsafe shards = .allocate(capacity: Self.shardCount)
        for index in 0..<Self.shardCount { unsafe (shards + index).initialize(to: ProbeTable()) }
    }

    deinit {
        unsafe shards.deinitialize(count: Self.shardCount)
        unsafe shards.deallocate()
    }

    /// Bytes held from the system, used or not.
    var byteCount: Int {
        var sum = keys.byteCount + postings.byteCount
        for index in 0..<Self.shardCount { unsafe sum += shards[index].byteCount }
        return sum
    }

    /// Bytes in keys and posting blocks.
    var usedByteCount: Int { keys.usedByteCount + postings.usedByteCount }

    // MARK: - Finding, in stages

    /// Starts to bring the slot of a value close.
    @inline(__always)
    func prefetch(_ hash: UInt64) {
        unsafe shards[Int(hash >> 56)].prefetch(UInt32(truncatingIfNeeded: hash))
    }

    /// The first slot from `start`, or from home, that has the value's fingerprint; -1 if none.
    @inline(__always)
    func candidate(_ hash: UInt64, after start: Int = -1) -> Int {
        let shard = Int(hash >> 56)
        let fingerprint = UInt32(truncatingIfNeeded: hash)
        var index =
            unsafe start < 0 ? shards[shard].home(fingerprint) : shards[shard].next(start)
        while unsafe !shards[shard][index].isEmpty {
            if unsafe shards[shard][index].fingerprint == fingerprint { return index }
            index = unsafe shards[shard].next(index)
        }
        return -1
    }

    /// The slot whose key is the value, beginning with a candidate; -1 if none.
    @inline(__always)
    func confirm(_ candidate: Int, _ value: FieldValue) -> Int {
        var index = candidate
        while index >= 0 {
            if unsafe isKey(shards[Int(value.hash >> 56)][index].key, value) { return index }
            index = self.candidate(value.hash, after: index)
        }
        return -1
    }

    /// The slot at an index of the shard that the hash selects.
    @inline(__always)
    func slot(_ hash: UInt64, _ index: Int) -> KeySlot {
        unsafe shards[Int(hash >> 56)][index]
    }

    /// How many widgets wait for the value.
    func widgetCount(_ value: FieldValue) -> Int {
        let index = confirm(candidate(value.hash), value)
        return index < 0 ? 0 : slot(value.hash, index).postings.count
    }

    @inline(__always)
    func isKey(_ key: UInt32, _ value: FieldValue) -> Bool {
        let record = unsafe UnsafeRawPointer(keys.pointer(key))
        let attribute = unsafe record.load(as: UInt32.self)
        let meta = unsafe record.load(fromByteOffset: 4, as: UInt32.self)
        return unsafe attribute == value.attribute
            && meta == UInt32(value.tag.rawValue) << 24 | value.length
            && bytesEqual(record + 8, value.base, Int(value.length))
    }

    // MARK: - Changing

    /// The key of a value, made if there is none: with no widgets yet, and to be given some at once.
    mutating func key(_ value: FieldValue) -> (key: UInt32, isNew: Bool) {
        let known = confirm(candidate(value.hash), value)
        if known >= 0 { return (slot(value.hash, known).key, false) }
        precondition(value.length <= Self.valueLimit, "a value of \(value.length) bytes")
        let key = keys.allocate(Self.keyHeader + Int(value.length))
        let record = unsafe keys.pointer(key)
        unsafe record.storeBytes(of: value.attribute, as: UInt32.self)
        let meta = UInt32(value.tag.rawValue) << 24 | value.length
        unsafe record.storeBytes(of: meta, toByteOffset: 4, as: UInt32.self)
        unsafe value.bytes.copy(to: record + Self.keyHeader)
        unsafe shards[Int(value.hash >> 56)].insert(
            KeySlot(fingerprint: UInt32(truncatingIfNeeded: value.hash), key: key)
        )
        keyCount += 1
        return (key, true)
    }

    /// Adds a posting under a key and returns its position.
    mutating func append(_ posting: Posting, to key: UInt32) -> UInt32 {
        let (shard, index) = place(of: key)
        return unsafe postings.append(posting, to: &shards[shard][index].postings)
    }

    /// Removes the posting at a position, and the key with its last.
    mutating func remove(_ position: UInt32, from key: UInt32) -> RemovedPosting {
        let (shard, index) = place(of: key)
        let moved = unsafe postings.remove(position, from: &shards[shard][index].postings)
        if unsafe shards[shard][index].postings.count > 0 {
            return RemovedPosting(moved: moved, emptied: Vocabulary.none)
        }
        unsafe shards[shard].remove(at: index)
        let (attribute, _, length) = content(of: key)
        keys.free(key, Self.keyHeader + length)
        keyCount -= 1
        return RemovedPosting(moved: nil, emptied: attribute)
    }

    /// Where the slot of a key lies: its hash is made anew from the key's own bytes.
    private func place(of key: UInt32) -> (shard: Int, index: Int) {
        let (attribute, tag, length) = content(of: key)
        let bytes = keys.view(key, Self.keyHeader + length)
            .slice(Self.keyHeader, Self.keyHeader + length)
        let hash = hash(attribute, tag, bytes)
        var index = candidate(hash)
        while slot(hash, index).key != key { index = candidate(hash, after: index) }
        return (Int(hash >> 56), index)
    }

    private func content(of key: UInt32) -> (attribute: AttributeID, tag: ValueTag, length: Int) {
        let record = unsafe UnsafeRawPointer(keys.pointer(key))
        let meta = unsafe record.load(fromByteOffset: 4, as: UInt32.self)
        let attribute = unsafe record.load(as: UInt32.self)
        return (attribute, ValueTag(rawValue: UInt8(meta >> 24))!, Int(meta & 0xff_ffff))
    }
}

/// One key and its widgets, in 16 bytes.
struct KeySlot: ProbeSlot {
    var fingerprint: UInt32
    var key: UInt32
    var postings = PostingList()

    @inline(__always)
    var isEmpty: Bool { key == ByteArena.none }

    init(fingerprint: UInt32, key: UInt32) {
        self.fingerprint = fingerprint
        self.key = key
    }

    static var empty: KeySlot { KeySlot(fingerprint: 0, key: ByteArena.none) }
}

/// What became of a key when a posting was removed.
struct RemovedPosting {
    /// The posting that took the removed one's position.
    let moved: Posting?
    /// The attribute of the key that disappeared with its last posting, or `none`.
    let emptied: AttributeID
}
