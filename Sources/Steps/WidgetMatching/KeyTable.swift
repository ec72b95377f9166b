internal import DataStructures

/// A key's number: its block in the key table's arena.
typealias KeyID = UInt32

/// Maps keys to the widgets that wait for them.
///
///     index: hash ─► key        key ─► [ postings u32 | space u32 | word u32 … ]
///     postings: a single widget's posting, or the number of a list with the top bit set
///
/// The key's space determines what the words mean. A key exists as long as it has a posting.
struct KeyTable: ~Copyable {
    /// The number of no key.
    static var none: KeyID { HashIndex.none }
    /// Bytes of a key before its words.
    private static var header: Int { 8 }
    /// Set in the first word of a key's record if the word is the number of a posting list.
    private static var listBit: UInt32 { 1 << 31 }
    /// The postings of a key that was just made.
    private static var emptyPostings: UInt32 { UInt32.max }

    private(set) var index = HashIndex()
    private var records = ByteArena()
    private var lists = Slab<PostingList>()
    private(set) var postings = PostingStore()

    /// Bytes allocated, used or not.
    var byteCount: Int {
        index.byteCount + records.byteCount + lists.byteCount + postings.byteCount
    }
    /// Bytes of the keys and posting lists in use.
    var usedByteCount: Int {
        index.usedByteCount + records.usedByteCount + postings.usedByteCount
            + lists.count * MemoryLayout<PostingList>.stride
    }

    /// Bytes of the larger of the two arenas: that of the keys or that of the posting lists.
    var largestArena: Int { max(records.byteCount, postings.byteCount) }

    /// The number of keys.
    var count: Int { index.count }

    init() {}

    // MARK: - Finding

    /// Prefetches the record of a key.
    @inline(__always)
    func prefetch(_ key: KeyID) { records.prefetch(key) }

    /// The space of a key.
    @inline(__always)
    func space(_ key: KeyID) -> SpaceID {
        unsafe records.pointer(key).load(fromByteOffset: 4, as: UInt32.self)
    }

    /// One word of a key.
    @inline(__always)
    func word(of key: KeyID, at position: Int) -> UInt32 {
        unsafe records.pointer(key).load(
            fromByteOffset: Self.header + position << 2,
            as: UInt32.self
        )
    }

    /// Writes one word of a key.
    mutating func setWord(of key: KeyID, at position: Int, to word: UInt32) {
        unsafe records.pointer(key).storeBytes(
            of: word,
            toByteOffset: Self.header + position << 2,
            as: UInt32.self
        )
    }

    /// The key of a space that begins with these words, or `none`.
    @inline(__always)
    func find(_ hash: UInt64, in space: SpaceID, words: KeyWords) -> KeyID {
        index.find(hash) { isKey($0, in: space, words: words) } ?? Self.none
    }

    /// The key of a space with this one word, or `none`.
    func find(_ hash: UInt64, in space: SpaceID, word: UInt32) -> KeyID {
        index.find(hash) { self.space($0) == space && self.word(of: $0, at: 0) == word }
            ?? Self.none
    }

    /// Whether a key is in the space and begins with the words.
    private func isKey(_ key: KeyID, in space: SpaceID, words: KeyWords) -> Bool {
        if self.space(key) != space { return false }
        for position in 0..<words.count where word(of: key, at: position) != words[position] {
            return false
        }
        return true
    }

    // MARK: - Keys

    /// Reserves capacity for `count` keys in total.
    mutating func reserve(_ count: Int) { index.reserve(count) }

    /// Adds a key, to which a posting must be added next.
    mutating func insert(_ hash: UInt64, in space: SpaceID, words: KeyWords) -> KeyID {
        let key = records.allocate(Self.header + words.count << 2)
        let base = unsafe records.pointer(key)
        unsafe base.storeBytes(of: Self.emptyPostings, as: UInt32.self)
        unsafe base.storeBytes(of: space, toByteOffset: 4, as: UInt32.self)
        for position in 0..<words.count { setWord(of: key, at: position, to: words[position]) }
        index.insert(hash, number: key)
        return key
    }

    /// Removes a key without postings.
    mutating func remove(_ key: KeyID, hash: UInt64, wordCount: Int) {
        index.remove(hash, number: key)
        records.free(key, byteCount: Self.header + wordCount << 2)
    }

    // MARK: - Postings

    /// The first word of a key's record: its posting or list.
    @inline(__always)
    private func head(_ key: KeyID) -> UInt32 {
        unsafe records.pointer(key).load(as: UInt32.self)
    }

    /// Replaces the first word of a key's record.
    private mutating func setHead(of key: KeyID, to head: UInt32) {
        unsafe records.pointer(key).storeBytes(of: head, as: UInt32.self)
    }

    /// The posting of a key with exactly one; nil if it has a list.
    @inline(__always)
    func single(_ key: KeyID) -> Posting? {
        let head = head(key)
        return head & Self.listBit == 0 ? Posting(bits: head) : nil
    }

    /// The list of a key with several postings.
    @inline(__always)
    func list(_ key: KeyID) -> PostingList { lists[head(key) & ~Self.listBit] }

    /// Prefetches the list of a key with several postings.
    @inline(__always)
    func prefetchList(_ key: KeyID) { lists.prefetch(head(key) & ~Self.listBit) }

    /// The number of widgets that wait for the key; 0 for a key that was just made.
    func postingCount(_ key: KeyID) -> Int {
        if head(key) == Self.emptyPostings { return 0 }
        return single(key) == nil ? list(key).count : 1
    }

    /// Any of a key's postings, for questions that all of them answer alike.
    func firstPosting(_ key: KeyID) -> Posting {
        single(key) ?? postings.run(list(key), from: 0)[0]
    }

    /// Adds a posting at the end, and returns its position.
    mutating func append(_ posting: Posting, to key: KeyID) -> UInt32 {
        let head = head(key)
        if head == Self.emptyPostings {
            setHead(of: key, to: posting.bits)
            return 0
        }
        if head & Self.listBit == 0 {
            var list = PostingList()
            _ = postings.append(Posting(bits: head), to: &list)
            let position = postings.append(posting, to: &list)
            setHead(of: key, to: lists.insert(list) | Self.listBit)
            return position
        }
        return postings.append(posting, to: &lists[head & ~Self.listBit])
    }

    /// Removes the posting at a position, and fills the gap with the last one.
    ///
    /// - Returns: the posting that was moved to `position`, whose widget must be updated; and
    ///   whether the key has no posting left, so that it must be removed.
    mutating func remove(
        _ position: UInt32,
        from key: KeyID
    ) -> (moved: Posting?, isEmpty: Bool) {
        let head = head(key)
        if head & Self.listBit == 0 {
            setHead(of: key, to: Self.emptyPostings)
            return (nil, true)
        }
        let number = head & ~Self.listBit
        let moved = postings.remove(position, from: &lists[number])
        if let single = lists[number].single {
            setHead(of: key, to: single.bits)
            lists.remove(number)
        }
        return (moved, false)
    }
}

/// The words of a key that is looked for or made; valid as long as the memory they are in.
@safe
struct KeyWords {
    private let base: UnsafePointer<UInt32>
    let count: Int

    @unsafe @inline(__always)
    init(base: UnsafePointer<UInt32>, count: Int) {
        unsafe self.base = unsafe base
        self.count = count
    }

    @inline(__always)
    subscript(position: Int) -> UInt32 {
        assert(position < count)
        return unsafe base[position]
    }
}
