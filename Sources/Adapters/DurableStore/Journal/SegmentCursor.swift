internal import Basics
internal import StoreFormat

/// Reads the groups of a segment, one after the other, as long as they are whole.
@safe
struct SegmentCursor: ~Copyable {
    private static let blockByteCount = 1 << 18

    private let segment: JournalSegment
    /// Where the file ends.
    private let end: Int
    /// Where the next group begins.
    private(set) var offset: Int
    /// The checksum that the next group must name as its predecessor's; nil for any.
    private(set) var parent: UInt64?
    private var memory: UnsafeMutableRawPointer
    /// The size of `memory`, in bytes.
    private var capacity: Int
    /// The place in `memory` at which the bytes of the file from `offset` on begin.
    private var start = 0
    /// The number of bytes of the file in `memory`, from `start` on.
    private var count = 0

    init(_ segment: JournalSegment, from offset: Int, after parent: UInt64?, to end: Int) {
        assert(offset >= SegmentHeader.byteCount, "groups begin after the header")
        self.segment = segment
        self.offset = offset
        self.parent = parent
        self.end = end
        capacity = min(Self.blockByteCount, max(end - offset, JournalGroup.headerByteCount))
        unsafe memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { unsafe memory.deallocate() }

    /// Reads the next group, valid until the next call; nil where no whole group begins.
    mutating func next() throws(StoreError) -> JournalGroup? {
        while true {
            assert(count >= 0 && start + count <= capacity)
            assert(count == 0 || offset + count <= end, "more was read than the file has")
            let bytes = unsafe ByteView(base: UnsafeRawPointer(memory + start), count: count)
            switch JournalGroup.read(bytes, mark: segment.mark, parent: parent) {
            case .group(let group):
                offset += group.byteCount
                start += group.byteCount
                count -= group.byteCount
                parent = group.checksum
                return group
            case .incomplete(let byteCount):
                if byteCount > end - offset { return nil }
                if try !fill(byteCount) { return nil }
            case .broken: return nil
            }
        }
    }

    /// Reads more of the file into memory, until at least `byteCount` bytes from `offset` on are
    /// there.
    ///
    /// Bytes that `next` has not returned yet are moved to the beginning, and the memory grows if a
    /// group is larger than it.
    ///
    /// - Returns: false if the file ends before that.
    private mutating func fill(_ byteCount: Int) throws(StoreError) -> Bool {
        assert(byteCount > count, "there is enough in memory already")
        assert(byteCount <= end - offset, "the file ends before that")
        if byteCount > capacity {
            let larger = max(byteCount, 2 * capacity)
            let other = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
            unsafe other.copyMemory(from: memory + start, byteCount: count)
            unsafe memory.deallocate()
            unsafe memory = unsafe other
            capacity = larger
        } else {
            unsafe memory.copyMemory(from: memory + start, byteCount: count)
        }
        start = 0
        let wanted = min(capacity, end - offset) - count
        precondition(wanted >= 0, "the file became shorter than what was read of it")
        count += unsafe try segment.read(into: memory + count, count: wanted, at: offset + count)
        return count >= byteCount
    }
}
