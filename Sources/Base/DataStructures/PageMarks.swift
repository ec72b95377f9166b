/// Which pages of a table have changed since the last checkpoint began, and which of them the
/// running checkpoint has still to write.
///
///                    beginCheckpoint           willChange, saved
///     changed ─────────────────────► begun ═► owed ──────────────► written
///        ▲                             │
///        └─────────────────────────────┘
///                abandonCheckpoint
///
/// A checkpoint is an image of the state at the moment it begins, but it is written while the state
/// keeps changing. So a page's owner calls `willChange` before it changes the page: if the page is
/// unwritten (in `owed`), the owner first copies it as it is, and the checkpoint writes the copy.
///
/// Takes three bits a page once tracking has started. Before that it takes none, and `willChange`
/// costs one load.
@safe @usableFromInline
package struct PageMarks: ~Copyable {
    /// Pages that have changed since the last checkpoint began; the next one will write them.
    @usableFromInline var changed = PageBits()
    /// Pages that the last checkpoint to begin had to write.
    private var begun = PageBits()
    /// The pages of `begun` that have neither been copied nor written: the unwritten ones.
    private var owed = PageBits()
    /// The number of pages tracked: those below it have bits; 0 before `startTracking`.
    @usableFromInline package private(set) var pageCount: UInt32 = 0
    @usableFromInline package private(set) var isTracking = false
    /// The number of pages that the next checkpoint would write if it began now.
    package private(set) var changedCount = 0
    /// The number of pages that the running checkpoint has still to write.
    package private(set) var owedCount = 0

    package init() {}

    /// The bytes allocated from the system.
    package var byteCount: Int { changed.byteCount + begun.byteCount + owed.byteCount }

    /// Starts to record which pages change; a table that is never saved does not call it.
    ///
    /// - Parameters:
    ///   - pageCount: the number of pages that exist.
    ///   - isSaved: true if they are in the store already and count as unchanged.
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

    /// Records that a page is about to change.
    ///
    /// - Returns: true if the caller must copy the page before it changes it, for the running
    ///   checkpoint; the page then counts as written.
    @inlinable @inline(__always)
    package mutating func willChange(_ page: UInt32) -> Bool {
        if page >= pageCount || changed.contains(page) { return false }
        return markChanged(page)
    }

    /// Counts a page as written, if it was unwritten.
    ///
    /// - Returns: true if it was unwritten, and the caller must write or copy it now.
    package mutating func takeIfOwed(_ page: UInt32) -> Bool {
        if owedCount == 0 || page >= pageCount || !owed.contains(page) { return false }
        saved(page)
        return true
    }

    /// Marks all pages as changed; no checkpoint may be running.
    package mutating func changeAll() {
        precondition(owedCount == 0, "a checkpoint is under way")
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
        precondition(owedCount == 0, "the last checkpoint is not finished")
        swap(&changed, &begun)
        changed.removeAll()
        owed.copy(begun)
        owedCount = changedCount
        changedCount = 0
    }

    /// The first unwritten page that is not below `page`; nil if there is none.
    package func nextOwed(from page: UInt32) -> UInt32? {
        owedCount == 0 ? nil : owed.first(from: page)
    }

    /// Records that the checkpoint has an unwritten page, so that it counts as written.
    package mutating func saved(_ page: UInt32) {
        assert(owed.contains(page), "a page is saved that is not owed")
        owed.remove(page)
        owedCount -= 1
    }

    /// Gives up the running checkpoint: the next one writes all of its pages again, written or not.
    package mutating func abandonCheckpoint() {
        changed.formUnion(begun)
        changedCount = changed.count
        begun.removeAll()
        owed.removeAll()
        owedCount = 0
    }

    @usableFromInline @inline(never)
    mutating func markChanged(_ page: UInt32) -> Bool {
        changed.insert(page)
        changedCount += 1
        if owedCount == 0 || !owed.contains(page) { return false }
        saved(page)
        return true
    }

    @usableFromInline @inline(never)
    mutating func addPages(_ pageCount: UInt32) {
        changed.grow(to: pageCount)
        begun.grow(to: pageCount)
        owed.grow(to: pageCount)
        changed.insert(contentsOf: self.pageCount..<pageCount)
        changedCount += Int(pageCount - self.pageCount)
        self.pageCount = pageCount
    }
}
