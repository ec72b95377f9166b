/// Which pages of a table have changed since the last checkpoint began, and which of them the
/// checkpoint that is under way is still owed.
///
///                    beginCheckpoint           willChange, saved
///     changed ─────────────────────► begun ═► owed ──────────────► handed out
///        ▲                             │
///        └─────────────────────────────┘
///                abandonCheckpoint
///
/// A checkpoint is an image of the state at the moment it begins, but it is written while the state
/// goes on changing. So whoever changes a page asks `willChange` first; if the page is still owed,
/// it copies the page as it is, and the checkpoint takes the copy.
///
/// Three bits a page; none, and one load for `willChange`, before tracking starts.
@safe @usableFromInline
package struct PageMarks: ~Copyable {
    /// Changed since the last checkpoint began, and so part of the next one.
    @usableFromInline var changed = PageBits()
    /// What the checkpoint that began last was owed at its beginning.
    private var begun = PageBits()
    /// What of `begun` has neither been copied nor saved.
    private var owed = PageBits()
    /// Pages below have bits; 0 while nothing is tracked.
    @usableFromInline package private(set) var pageCount: UInt32 = 0
    @usableFromInline package private(set) var isTracking = false
    /// How many pages the next checkpoint will be owed, as it is now.
    package private(set) var changedCount = 0
    /// How many pages the checkpoint is still owed.
    package private(set) var owedCount = 0

    package init() {}

    /// Bytes held from the system.
    package var byteCount: Int { changed.byteCount + begun.byteCount + owed.byteCount }

    /// Starts to remember what changes.
    ///
    /// - Parameters:
    ///   - pageCount: the pages that are there.
    ///   - isSaved: whether these count as not changed.
    package mutating func startTracking(pageCount: UInt32, isSaved: Bool = false) {
        precondition(!isTracking, "changes are tracked already")
        isTracking = true
        grow(to: pageCount)
        if isSaved {
            changed.removeAll()
            changedCount = 0
        }
    }

    /// There are so many pages now; the new ones count as changed, and no checkpoint that is under
    /// way is owed them.
    @inlinable @inline(__always)
    package mutating func grow(to pageCount: UInt32) {
        if isTracking && pageCount > self.pageCount { addPages(pageCount) }
    }

    /// Says that a page is about to change.
    ///
    /// - Returns: whether the caller must copy the page before it changes it, because the checkpoint
    ///   is owed the page as it is; it is not owed any more then.
    @inlinable @inline(__always)
    package mutating func willChange(_ page: UInt32) -> Bool {
        if page >= pageCount || changed.contains(page) { return false }
        return markChanged(page)
    }

    /// Takes a page that the checkpoint is owed.
    ///
    /// - Returns: whether it was owed: the caller must copy it now.
    package mutating func takeIfOwed(_ page: UInt32) -> Bool {
        if owedCount == 0 || page >= pageCount || !owed.contains(page) { return false }
        saved(page)
        return true
    }

    /// All pages count as changed; no checkpoint is under way.
    package mutating func changeAll() {
        precondition(owedCount == 0, "a checkpoint is under way")
        if pageCount > 0 { changed.insert(contentsOf: 0..<pageCount) }
        changedCount = Int(pageCount)
    }

    // MARK: - Checkpoints

    /// A checkpoint begins, and is owed every page that has changed since the last one began.
    ///
    /// The last one must have been handed out, or abandoned.
    ///
    /// - Complexity: in proportion to the pages, 64 at a time.
    package mutating func beginCheckpoint() {
        precondition(isTracking, "a checkpoint needs to know what changes")
        precondition(owedCount == 0, "the last checkpoint is not finished")
        swap(&changed, &begun)
        changed.removeAll()
        owed.copy(begun)
        owedCount = changedCount
        changedCount = 0
    }

    /// The first page from `page` on that the checkpoint is still owed; nil if there is none.
    package func nextOwed(from page: UInt32) -> UInt32? {
        owedCount == 0 ? nil : owed.first(from: page)
    }

    /// The checkpoint has the page.
    package mutating func saved(_ page: UInt32) {
        assert(owed.contains(page), "a page is saved that is not owed")
        owed.remove(page)
        owedCount -= 1
    }

    /// The checkpoint that began last will not be: the next one is owed what this one was, whether
    /// or not it had it.
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
