internal import Basics

/// The memory of posting lists with more than one widget.
///
/// Block sizes are powers of two. A list moves to the next size when its block is full, and to the
/// size below when a quarter of its block or less is used. So a widget that is stored and removed
/// again and again does not cause a copy each time.
///
///     a directory    [ blocks in use u32 | capacity u32 | block u32 … ]
struct PostingStore: ~Copyable {
    /// Binary logarithm of the postings in a block of a directory.
    static var blockShift: Int { 16 }
    /// Bytes of a directory before its blocks.
    static var directoryHeader: Int { 8 }
    /// Postings in a block of a directory.
    private static var blockLength: Int { 1 << blockShift }

    /// The blocks and directories.
    var blocks = ByteArena()

    /// Bytes allocated, used or not.
    var byteCount: Int { blocks.byteCount }
    /// Bytes in blocks in use.
    var usedByteCount: Int { blocks.usedByteCount }

    init() {}

    // MARK: - Reading

    /// The longest contiguous run of postings from `position` on; the list has more than one
    /// posting.
    @inline(__always)
    func run(_ list: PostingList, from position: Int) -> PostingRun {
        assert(position >= 0 && position < list.count, "position \(position) of \(list.count)")
        let rest = list.count - position
        if list.sizeClass <= UInt32(Self.blockShift) {
            return unsafe PostingRun(
                base: UnsafePointer(address(in: list, at: position)),
                count: rest
            )
        }
        let toBlockEnd = 1 << Self.blockShift - position & (1 << Self.blockShift - 1)
        return unsafe PostingRun(
            base: UnsafePointer(address(in: list, at: position)),
            count: min(rest, toBlockEnd)
        )
    }

    /// Prefetches the first postings, or the directory, of a list with more than one.
    @inline(__always)
    func prefetch(_ list: PostingList) { blocks.prefetch(list.block) }

    /// The address of the posting at a position; the list has more than one.
    @unsafe @inline(__always)
    func address(in list: PostingList, at position: Int) -> UnsafeMutablePointer<Posting> {
        assert(position >= 0 && position < list.count, "position \(position) of \(list.count)")
        var block = list.block
        var offset = position
        if list.sizeClass > UInt32(Self.blockShift) {
            block = unsafe ArenaBlock(rawValue: directory(list)[2 + position >> Self.blockShift])
            offset = position & (1 << Self.blockShift - 1)
        }
        return unsafe blocks.pointer(block).assumingMemoryBound(to: Posting.self) + offset
    }

    /// The words of a list's directory.
    @unsafe @inline(__always)
    func directory(_ list: PostingList) -> UnsafeMutablePointer<UInt32> {
        assert(list.sizeClass == PostingList.directoryClass, "the list has no directory")
        return unsafe blocks.pointer(list.block).assumingMemoryBound(to: UInt32.self)
    }

    // MARK: - Changing

    /// Makes a list of two postings.
    mutating func makeList(of first: Posting, and second: Posting) -> PostingList {
        let list = PostingList(blocks.allocate(4 << 1), sizeClass: 1, count: 2)
        unsafe address(in: list, at: 0).pointee = first
        unsafe address(in: list, at: 1).pointee = second
        return list
    }

    /// Adds a posting at the end, and returns its position.
    mutating func append(_ posting: Posting, to list: inout PostingList) -> PostingPosition {
        let count = list.count
        precondition(count < Posting.widgetLimit - 1, "a posting list is full")
        makeRoom(&list)
        list.setCount(count + 1)
        unsafe address(in: list, at: count).pointee = posting
        return PostingPosition(count)
    }

    /// Removes the posting at a position, and fills the gap with the last one. A list with a single
    /// posting left must be freed.
    ///
    /// - Returns: the posting that was moved to `position`, whose widget must be updated; nil if
    ///   none was.
    mutating func remove(_ position: PostingPosition, from list: inout PostingList) -> Posting? {
        assert(position.index < list.count, "position \(position.index) of \(list.count)")
        let end = list.count - 1
        let last = unsafe address(in: list, at: end).pointee
        unsafe address(in: list, at: position.index).pointee = last
        list.setCount(end)
        releaseUnused(&list)
        return position.index == end ? nil : last
    }

    /// Frees a list with a single posting, and returns that.
    mutating func free(_ list: PostingList) -> Posting {
        assert(list.count == 1, "\(list.count) postings are lost")
        let only = unsafe address(in: list, at: 0).pointee
        unsafe blocks.free(list.block, byteCount: 4 << list.sizeClass)
        return only
    }

    /// Makes space for one more posting.
    private mutating func makeRoom(_ list: inout PostingList) {
        let count = list.count
        switch list.sizeClass {
        case 1..<PostingList.blockClass:
            if count == 1 << list.sizeClass { resize(&list, to: list.sizeClass + 1) }
        case PostingList.blockClass: if count == Self.blockLength { makeDirectory(&list) }
        default:
            if unsafe count == Int(directory(list)[0]) << Self.blockShift { addBlock(list: &list) }
        }
    }

    /// Releases memory that the list no longer needs.
    private mutating func releaseUnused(_ list: inout PostingList) {
        if list.sizeClass == PostingList.directoryClass {
            dropBlock(&list)
        } else if list.count > 1 && list.count <= 1 << list.sizeClass / 4 {
            resize(&list, to: list.sizeClass - 1)
        }
    }

    /// Moves a list to a block of another size class.
    private mutating func resize(_ list: inout PostingList, to sizeClass: UInt32) {
        assert(list.count <= 1 << sizeClass, "\(list.count) postings in class \(sizeClass)")
        let block: ArenaBlock = blocks.allocate(4 << sizeClass)
        unsafe blocks.pointer(block).copyMemory(
            from: blocks.pointer(list.block),
            byteCount: list.count * 4
        )
        unsafe blocks.free(list.block, byteCount: 4 << list.sizeClass)
        list = PostingList(block, sizeClass: sizeClass, count: list.count)
    }

    // MARK: - Directories

    /// Turns a full list of one block into a directory with a second block.
    private mutating func makeDirectory(_ list: inout PostingList) {
        assert(list.count == Self.blockLength, "a block with space left needs no directory")
        // Header and entries together are a power of two, like the arena's large blocks.
        let capacity = 6
        let block: ArenaBlock = blocks.allocate(Self.directoryHeader + capacity * 4)
        let entries = unsafe blocks.pointer(block).assumingMemoryBound(to: UInt32.self)
        unsafe entries[0] = 1
        unsafe entries[1] = UInt32(capacity)
        unsafe entries[2] = list.block.rawValue
        list = PostingList(block, sizeClass: PostingList.directoryClass, count: list.count)
        addBlock(list: &list)
    }

    /// Appends an empty block to a directory, which doubles if it is full.
    private mutating func addBlock(list: inout PostingList) {
        let used = unsafe Int(directory(list)[0])
        let capacity = unsafe Int(directory(list)[1])
        if used == capacity {
            let byteCount = Self.directoryHeader + capacity * 4
            let larger: ArenaBlock = blocks.allocate(byteCount * 2)
            unsafe blocks.pointer(larger).copyMemory(
                from: blocks.pointer(list.block),
                byteCount: byteCount
            )
            unsafe blocks.free(list.block, byteCount: byteCount)
            list = PostingList(larger, sizeClass: PostingList.directoryClass, count: list.count)
            unsafe directory(list)[1] = UInt32((byteCount * 2 - Self.directoryHeader) / 4)
        }
        let block: ArenaBlock = blocks.allocate(4 << Self.blockShift)
        unsafe directory(list)[2 + used] = block.rawValue
        unsafe directory(list)[0] += 1
    }

    /// Frees the last block once it and half of the block before it are empty. A directory with one
    /// block left becomes a plain list again.
    private mutating func dropBlock(_ list: inout PostingList) {
        let used = unsafe Int(directory(list)[0])
        if list.count > (used - 1) * Self.blockLength - Self.blockLength / 2 { return }
        unsafe blocks.free(
            ArenaBlock(rawValue: directory(list)[1 + used]),
            byteCount: 4 << Self.blockShift
        )
        unsafe directory(list)[0] -= 1
        if used > 2 { return }
        let first = unsafe ArenaBlock(rawValue: directory(list)[2])
        let capacity = unsafe Int(directory(list)[1])
        unsafe blocks.free(list.block, byteCount: Self.directoryHeader + capacity * 4)
        list = PostingList(first, sizeClass: PostingList.blockClass, count: list.count)
    }
}

/// Contiguous postings of a list, valid until the list changes.
typealias PostingRun = ElementView<Posting>

extension PostingStore {
    /// Asserts that a list of several postings has the block or the directory that its length
    /// demands, and returns the bytes that it occupies.
    func checkInvariants(of list: PostingList) -> Int {
        let (count, sizeClass) = (list.count, Int(list.sizeClass))
        assert(count > 1, "a list of \(count) needs no block")
        if list.sizeClass <= PostingList.blockClass {
            assert(count <= 1 << sizeClass, "\(count) postings in a block of class \(sizeClass)")
            assert(count > 1 << sizeClass / 4, "\(count) postings need no class \(sizeClass)")
            return ByteArena.size(ofBlock: 4 << sizeClass)
        }
        assert(list.sizeClass == PostingList.directoryClass, "size class \(sizeClass)")
        let used = unsafe Int(directory(list)[0])
        let capacity = unsafe Int(directory(list)[1])
        let blockLength = 1 << Self.blockShift
        assert(used > 1 && used <= capacity, "\(used) blocks in a directory for \(capacity)")
        assert(count <= used * blockLength, "\(count) postings in \(used) blocks")
        assert(count > (used - 1) * blockLength - blockLength / 2, "a block of \(used) is unused")
        return ByteArena.size(ofBlock: Self.directoryHeader + capacity * 4)
            + used * ByteArena.size(ofBlock: 4 << Self.blockShift)
    }
}
