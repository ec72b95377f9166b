/// Which pages of a table have changed since the last checkpoint began, and which of them the
/// running checkpoint has still to write.
///
///               beginCheckpoint                copyBeforeWrite, saved
///     changed ─────────────────► begun, unwritten ───────────────► begun, copied or written
///        ▲                         │
///        └─────────────────────────┘
///              abandonCheckpoint
///
/// A checkpoint is an image of the state at the moment it begins, but it is written while the state
/// keeps changing. So a page's owner calls `copyBeforeWrite` before it changes the page: if the
/// page is unwritten (in `unwritten`), the owner first copies it as it is, and the checkpoint
/// writes the copy.
///
/// Takes three bits a page once tracking has started. Before that it takes none, and
/// `copyBeforeWrite` costs one load.
@usableFromInline
package struct PageMarks: ~Copyable {
    /// Pages that have changed since the last checkpoint began; the next one will write them.
    @usableFromInline var changed = PageBits()
    /// Pages that the last checkpoint to begin had to write.
    var begun = PageBits()
    /// The pages of `begun` that have neither been copied nor written: the unwritten ones.
    var unwritten = PageBits()
    /// The number of pages tracked: those below it have bits; 0 before `startTracking`.
    @usableFromInline package private(set) var pageCount: UInt32 = 0
    /// Whether `startTracking` was called, so that changes are recorded.
    @usableFromInline package private(set) var isTracking = false
    /// The number of pages that the next checkpoint would write if it began now.
    package private(set) var changedCount = 0
    /// The number of pages that the running checkpoint has still to write.
    package private(set) var unwrittenCount = 0

    /// Marks that track no pages until `startTracking`.
    package init() {}

    /// The bytes allocated from the system.
    package var byteCount: Int { changed.byteCount + begun.byteCount + unwritten.byteCount }

    /// Starts to record which of the pages change; a table that is never saved does not call it.
    /// Pages that are in the store already (`isSaved`) count as unchanged.
    package mutating func startTracking(pageCount: UInt32, isSaved: Bool = false) {
        precondition(!isTracking, "changes are tracked already")
        isTracking = true
        grow(to: pageCount)
        if isSaved {
            changed.removeAll()
            changedCount = 0
        }
    }

    /// Tracks pages up to `pageCount`. New ones count as changed, and are not part of a running
    /// checkpoint.
    @inlinable @inline(__always)
    package mutating func grow(to pageCount: UInt32) {
        if isTracking && pageCount > self.pageCount { addPages(pageCount) }
    }

    /// Marks a page as changed; must be called before each change of the page. Returns true if the
    /// caller must copy the page before it changes it, for the running checkpoint; the page then
    /// counts as written.
    @inlinable @inline(__always)
    package mutating func copyBeforeWrite(_ page: UInt32) -> Bool {
        if page >= pageCount || changed.contains(page) { return false }
        return markChanged(page)
    }

    /// Counts a page as written, if the running checkpoint has still to write it. Returns true if
    /// it was unwritten, and the caller must write or copy it now.
    package mutating func markWrittenIfUnwritten(_ page: UInt32) -> Bool {
        if unwrittenCount == 0 || page >= pageCount || !unwritten.contains(page) { return false }
        markWritten(page)
        return true
    }

    /// Marks all pages as changed; no checkpoint may be running.
    package mutating func changeAll() {
        precondition(unwrittenCount == 0, "a checkpoint is under way")
        if pageCount > 0 { changed.insert(contentsOf: 0..<pageCount) }
        changedCount = Int(pageCount)
    }

    // MARK: - Checkpoints

    /// Begins a checkpoint, which has to write every page that changed since the last one began.
    ///
    /// The last one must have been written to its end, or abandoned.
    ///
    /// - Complexity: in proportion to the number of pages, 64 at a time.
    package mutating func beginCheckpoint() {
        precondition(isTracking, "a checkpoint needs to know what changes")
        precondition(unwrittenCount == 0, "the last checkpoint is not finished")
        assert(changedCount <= Int(pageCount), "more pages have changed than there are")
        swap(&changed, &begun)
        changed.removeAll()
        unwritten.copy(begun)
        unwrittenCount = changedCount
        changedCount = 0
    }

    /// The first unwritten page that is not below `page`; nil if there is none.
    package func nextUnwrittenPage(from page: UInt32) -> UInt32? {
        unwrittenCount == 0 ? nil : unwritten.first(from: page)
    }

    /// Counts an unwritten page as written, because the checkpoint has been given its content.
    package mutating func markWritten(_ page: UInt32) {
        precondition(unwritten.contains(page), "page \(page) is not unwritten")
        unwritten.remove(page)
        unwrittenCount -= 1
    }

    /// Abandons the running checkpoint: the next one writes all of its pages again, written or not.
    package mutating func abandonCheckpoint() {
        changed.formUnion(begun)
        changedCount = changed.count
        begun.removeAll()
        unwritten.removeAll()
        unwrittenCount = 0
    }

    /// Does what `copyBeforeWrite` does for a page that is not marked as changed yet.
    @usableFromInline @inline(never)
    mutating func markChanged(_ page: UInt32) -> Bool {
        assert(page < pageCount && !changed.contains(page))
        changed.insert(page)
        changedCount += 1
        if unwrittenCount == 0 || !unwritten.contains(page) { return false }
        markWritten(page)
        return true
    }

    /// Raises the number of tracked pages; the new ones count as changed.
    @usableFromInline @inline(never)
    mutating func addPages(_ pageCount: UInt32) {
        assert(isTracking && pageCount > self.pageCount)
        changed.grow(to: pageCount)
        begun.grow(to: pageCount)
        unwritten.grow(to: pageCount)
        changed.insert(contentsOf: self.pageCount..<pageCount)
        changedCount += Int(pageCount - self.pageCount)
        self.pageCount = pageCount
    }
}
