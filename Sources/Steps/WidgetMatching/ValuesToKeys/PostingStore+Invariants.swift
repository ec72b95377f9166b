internal import Basics

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
