internal import Basics

/// A key's number: its block in the key table's arena.
struct KeyID: SlotNumber {
    let rawValue: UInt32
}

/// Maps keys to the widgets that wait for them.
///
///     index: hash ─► key        key ─► [ postings u32 | space u32 | word u32 … ]
///     postings: a single widget's posting, or the number of a list with the top bit set
///
/// The key's space determines what the words mean. A key exists as long as it has a posting.
struct KeyTable: ~Copyable {
    /// Bytes of a key before its words.
    static var header: Int { 8 }

    /// The first word of a key's record: its only posting, or the number of its list with the top
    /// bit set.
    private struct Head: BitwiseCopyable {
        /// Set if the key has a list. A `Posting` leaves this bit free.
        private static var listBit: UInt32 { 1 << 31 }
        /// The head of a key that was just made, without postings.
        @inline(__always)
        static var empty: Head { Head(bits: .max) }

        private let bits: UInt32

        private init(bits: UInt32) { self.bits = bits }

        @inline(__always)
        init(_ posting: Posting) {
            assert(posting.bits & Self.listBit == 0, "the top bit of a posting is reserved")
            bits = posting.bits
        }

        init(_ list: PostingListID) {
            assert(list.rawValue < Self.listBit - 1, "a table has fewer than 2^31 lists")
            bits = list.rawValue | Self.listBit
        }

        var isEmpty: Bool { bits == .max }

        /// The only posting; nil if the key has a list or no posting.
        @inline(__always)
        var single: Posting? { bits & Self.listBit == 0 ? Posting(bits: bits) : nil }

        /// The number of the list; the key has one.
        @inline(__always)
        var list: PostingListID {
            assert(bits & Self.listBit != 0 && !isEmpty, "the key has no list")
            return PostingListID(rawValue: bits & ~Self.listBit)
        }
    }

    private(set) var index = HashIndex()
    /// Says of most hashes that no key has them.
    let filter = KeyFilter()
    var records = ByteArena()
    var lists = Slab<PostingListID, PostingList>()
    private(set) var postings = PostingStore()

    /// Bytes allocated, used or not.
    var byteCount: Int {
        index.byteCount + filter.byteCount + records.byteCount + lists.byteCount
            + postings.byteCount
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

    @inline(__always)
    func prefetch(_ key: KeyID) { records.prefetch(key) }

    @inline(__always)
    func space(_ key: KeyID) -> SpaceID {
        unsafe records.pointer(key).load(fromByteOffset: 4, as: SpaceID.self)
    }

    @inline(__always)
    func word(of key: KeyID, at position: Int) -> Word {
        unsafe records.pointer(key).load(fromByteOffset: Self.header + position << 2, as: Word.self)
    }

    /// Writes one word of a key.
    mutating func setWord(of key: KeyID, at position: Int, to word: Word) {
        unsafe records.pointer(key).storeBytes(
            of: word,
            toByteOffset: Self.header + position << 2,
            as: Word.self
        )
    }

    /// The key of a space that begins with these words; nil if there is none.
    @inline(__always)
    func find(_ hash: UInt64, in space: SpaceID, words: KeyWords) -> KeyID? {
        index.find(hash) { (key: KeyID) in isKey(key, in: space, words: words) }
    }

    /// The key of a space with this one word; nil if there is none.
    func find(_ hash: UInt64, in space: SpaceID, word: Word) -> KeyID? {
        index.find(hash) { (key: KeyID) in
            self.space(key) == space && self.word(of: key, at: 0) == word
        }
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
        assert(words.count > 0 && space != .none, "a key of \(words.count) words")
        let key: KeyID = records.allocate(Self.header + words.count << 2)
        let base = unsafe records.pointer(key)
        unsafe base.storeBytes(of: Head.empty, as: Head.self)
        unsafe base.storeBytes(of: space, toByteOffset: 4, as: SpaceID.self)
        for position in 0..<words.count { setWord(of: key, at: position, to: words[position]) }
        index.insert(hash, number: key)
        filter.insert(hash, of: index)
        return key
    }

    /// Removes a key without postings.
    mutating func remove(_ key: KeyID, hash: UInt64, wordCount: Int) {
        assert(head(key).isEmpty, "a key is removed under which widgets are")
        index.remove(hash, number: key)
        unsafe records.free(key, byteCount: Self.header + wordCount << 2)
    }

    // MARK: - Postings

    /// The first word of a key's record: its posting or list.
    @inline(__always)
    private func head(_ key: KeyID) -> Head { unsafe records.pointer(key).load(as: Head.self) }

    /// Replaces the first word of a key's record.
    private mutating func setHead(of key: KeyID, to head: Head) {
        unsafe records.pointer(key).storeBytes(of: head, as: Head.self)
    }

    /// The posting of a key with exactly one; nil if it has a list.
    @inline(__always)
    func single(_ key: KeyID) -> Posting? { head(key).single }

    /// The list of a key with several postings.
    @inline(__always)
    func list(_ key: KeyID) -> PostingList { lists[head(key).list] }

    /// Prefetches the list of a key with several postings.
    @inline(__always)
    func prefetchList(_ key: KeyID) { lists.prefetch(head(key).list) }

    /// The number of widgets that wait for the key; 0 for a key that was just made.
    func postingCount(_ key: KeyID) -> Int {
        if head(key).isEmpty { return 0 }
        return single(key) == nil ? list(key).count : 1
    }

    func posting(of key: KeyID, at position: Int) -> Posting {
        single(key) ?? postings.run(list(key), from: position)[0]
    }

    /// Any of a key's postings, for questions that all of them answer alike.
    func firstPosting(_ key: KeyID) -> Posting { posting(of: key, at: 0) }

    /// Adds a posting at the end, and returns its position.
    mutating func append(_ posting: Posting, to key: KeyID) -> PostingPosition {
        let head = head(key)
        if head.isEmpty {
            setHead(of: key, to: Head(posting))
            return PostingPosition(0)
        }
        if let first = head.single {
            setHead(of: key, to: Head(lists.insert(postings.makeList(of: first, and: posting))))
            return PostingPosition(1)
        }
        return postings.append(posting, to: &lists[head.list])
    }

    /// Removes the posting at a position, and fills the gap with the last one.
    ///
    /// - Returns: the posting that was moved to `position`, whose widget must be updated; and
    ///   whether the key has no posting left, so that it must be removed.
    mutating func remove(
        _ position: PostingPosition,
        from key: KeyID
    ) -> (moved: Posting?, isEmpty: Bool) {
        let head = head(key)
        assert(!head.isEmpty, "a posting is removed from a key without any")
        if head.single != nil {
            setHead(of: key, to: .empty)
            return (nil, true)
        }
        let number = head.list
        let moved = postings.remove(position, from: &lists[number])
        if lists[number].count == 1 {
            setHead(of: key, to: Head(postings.free(lists[number])))
            lists.remove(number)
        }
        return (moved, false)
    }
}

extension KeyTable {
    /// What a key must have, as the widgets and the key's space say.
    struct Expected {
        var hash: UInt64
        var wordCount: Int
        /// The widgets under the key, by the positions that their links name.
        var widgets: [WidgetID]
    }

    /// Asserts that the table has exactly these keys, each found by its hash, with the postings
    /// that the widgets' links name; and that lists and bytes are counted correctly.
    func checkInvariants(_ expected: [KeyID: Expected]) {
        assert(index.count == expected.count, "there are keys under which no widget is")
        var (listCount, recordBytes, postingBytes) = (0, 0, 0)
        for (key, wanted) in expected {
            let found = index.find(wanted.hash) { (other: KeyID) in other == key }
            assert(found == key, "key \(key) is not found by its hash")
            assert(filter.mayHave(wanted.hash), "the filter stops key \(key)")
            assert(postingCount(key) == wanted.widgets.count, "postings of key \(key)")
            recordBytes += ByteArena.size(ofBlock: Self.header + wanted.wordCount << 2)
            if let single = single(key) {
                assert(single.widget == wanted.widgets[0], "the posting of key \(key)")
                continue
            }
            listCount += 1
            let list = list(key)
            postingBytes += postings.checkInvariants(of: list)
            for (position, widget) in wanted.widgets.enumerated() {
                let found = posting(of: key, at: position).widget
                assert(found == widget, "posting \(position) of key \(key)")
            }
        }
        assert(lists.count == listCount, "lists of keys that are gone are kept")
        assert(records.usedByteCount == recordBytes, "bytes of keys that are gone are kept")
        assert(postings.usedByteCount == postingBytes, "bytes of postings that are gone are kept")
    }
}
