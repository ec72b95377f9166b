/// A `Slab` that can be saved while it changes.
///
///     elements   [ page 0: 64 elements ] [ page 1 ] [ page 2 ] …
///     marks        changed? owed?          …          …
///     copies     [ page 1 as it was ] …
///
/// A checkpoint gets the slab as it is at the moment of `beginCheckpoint`, in pages, of which only
/// those that have changed since the checkpoint before. `takeOwed` hands them out one by one while
/// the slab goes on changing: a page that is still owed is copied before its first change, and its
/// copy is handed out instead. That costs 64 elements' copying once a page and checkpoint; a change
/// of a page that has changed before costs a look at its mark.
///
/// Tracking is off at first: then a change costs one load more than in a `Slab`.
@safe @usableFromInline
package struct TrackedSlab<Element: BitwiseCopyable>: ~Copyable {
    @usableFromInline var slab = Slab<Element>()
    @usableFromInline var marks = PageMarks()
    private var copies = PageCopies(
        bufferLength: Int(SlabPages.length) * MemoryLayout<Element>.stride
    )
    /// `end` when the checkpoint began.
    private var savedEnd: UInt32 = 0
    /// Pages below are not owed any more.
    private var nextPage: UInt32 = 0

    package init() {}

    /// One above the highest slot ever handed out.
    @inlinable package var end: UInt32 { slab.end }
    /// How many elements are in use.
    package var count: Int { slab.count }
    /// Bytes held from the system, used or not.
    package var byteCount: Int { slab.byteCount + marks.byteCount + copies.byteCount }

    package func isInUse(_ slot: UInt32) -> Bool { slab.isInUse(slot) }

    // MARK: - Elements

    @inlinable
    package subscript(slot: UInt32) -> Element {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(slab.pointer(slot)) }
        @inline(__always) unsafeMutableAddress {
            willChange(slot)
            return unsafe slab.pointer(slot)
        }
    }

    /// Starts to bring the element's cache line close.
    @inlinable @inline(__always)
    package func prefetch(_ slot: UInt32) { slab.prefetch(slot) }

    /// Stores an element and returns its slot, which stays its own until `remove`.
    package mutating func insert(_ element: Element) -> UInt32 {
        willChange(slab.nextSlot)
        let slot = slab.insert(element)
        addPages()
        return slot
    }

    /// Stores an element in a slot that is not in use; slots that are skipped thereby are free, and
    /// have the element's bits.
    package mutating func insert(_ element: Element, at slot: UInt32) {
        willChange(min(slot, end))
        slab.insert(element, at: slot)
        addPages()
    }

    /// Makes sure that `slot` can be stored to, for tables that share another table's numbering.
    package mutating func reserve(through slot: UInt32, filling element: Element) {
        if slot < end { return }
        willChange(end)
        slab.reserve(through: slot, filling: element)
        addPages()
    }

    /// Moves `end` up to a slot; the slots between are free.
    package mutating func extend(to slot: UInt32, filling element: Element) {
        willChange(end)
        slab.extend(to: slot, filling: element)
        addPages()
    }

    /// Gives the slot back; its content must not be used again.
    package mutating func remove(_ slot: UInt32) {
        willChange(slot)
        slab.remove(slot)
    }

    /// Says that the element of a slot, or whether it is in use, is about to change.
    @inlinable @inline(__always)
    mutating func willChange(_ slot: UInt32) {
        let page = SlabPages.page(of: slot)
        if marks.willChange(page) { copy(page) }
    }

    private mutating func addPages() {
        marks.grow(to: SlabPages.count(end))
    }

    // MARK: - Checkpoints

    /// How many pages the checkpoint has still to take.
    var owedPageCount: Int { marks.owedCount + copies.count }

    /// Starts to remember which pages change.
    ///
    /// - Parameter isSaved: whether what is there counts as not changed.
    package mutating func startTracking(isSaved: Bool = false) {
        marks.startTracking(pageCount: SlabPages.count(end), isSaved: isSaved)
    }

    /// A checkpoint begins: `takeOwed` hands out what the slab is now.
    package mutating func beginCheckpoint() {
        precondition(owedPageCount == 0, "the last checkpoint is not finished")
        marks.beginCheckpoint()
        savedEnd = end
        nextPage = 0
    }

    /// Hands out a page that the checkpoint is owed: those that were copied come first, as their
    /// copies take memory, then the others in their order.
    ///
    /// - Returns: the page, valid until the next change of the slab; nil if nothing is owed.
    package mutating func takeOwed() -> SlabPage<Element>? {
        if let (page, bytes) = unsafe copies.popLast() {
            return unsafe SlabPage(page, bytes.assumingMemoryBound(to: Element.self))
        }
        guard let number = marks.nextOwed(from: nextPage) else { return nil }
        nextPage = number + 1
        marks.saved(number)
        return unsafe SlabPage(
            page(number),
            UnsafePointer(slab.pointer(SlabPages.first(of: number)))
        )
    }

    /// The checkpoint will not be finished: the next one hands out what this one was owed, too.
    package mutating func abandonCheckpoint() {
        copies.removeAll()
        marks.abandonCheckpoint()
    }

    @usableFromInline @inline(never)
    mutating func copy(_ number: UInt32) {
        let page = page(number)
        unsafe copies.append(
            page,
            slab.pointer(SlabPages.first(of: number)),
            length: Int(page.count) * MemoryLayout<Element>.stride
        )
    }

    /// A page that has not changed since the checkpoint began.
    private func page(_ number: UInt32) -> PageCopies.Page {
        PageCopies.Page(
            number: number,
            count: min(SlabPages.length, savedEnd - SlabPages.first(of: number))
        )
    }
}
