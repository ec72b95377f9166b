/// A `Slab` that a checkpoint can save while it changes.
///
///     elements   [ page 0: 64 elements ] [ page 1 ] [ page 2 ] …
///     marks        changed? unwritten?     …          …
///     copies     [ page 1 as it was ] …
///
/// A checkpoint gets the slab as it was at `beginCheckpoint`, but only the pages that have changed
/// since the checkpoint before. `nextUnwritten` returns them one by one while the slab keeps
/// changing: an unwritten page is copied before its first change, and the copy is returned instead.
/// That costs a copy of 64 elements at most once for each page and checkpoint; changing a page that
/// has changed before costs only a test of its mark.
///
/// Tracking is off at first. While it is off, a change costs one load more than in a `Slab`.
@usableFromInline
package struct TrackedSlab<ID: TableNumber, Element: BitwiseCopyable>: ~Copyable {
    @usableFromInline var slab = Slab<ID, Element>()
    @usableFromInline var marks = PageMarks()
    var copies = PageCopies(bufferLength: Int(SlabPages.length) * MemoryLayout<Element>.stride)
    /// `end` at the moment the checkpoint began.
    private var savedEnd: UInt32 = 0
    /// Pages below this one have been written or copied.
    var nextPage: UInt32 = 0

    /// An empty slab that does not track changes until `startTracking`.
    package init() {}

    /// One above the highest slot that was ever in use.
    @inlinable package var end: UInt32 { slab.end }
    /// The slots below `end`, in use or not.
    @inlinable package var ids: NumberRange<ID> { slab.ids }
    /// The number of slots in use.
    @inlinable package var count: Int { slab.count }
    /// The bytes allocated from the system, used or not.
    package var byteCount: Int { slab.byteCount + marks.byteCount + copies.byteCount }

    /// Whether a slot is below `end`, so that it has an element, in use or not.
    @inlinable @inline(__always)
    package func has(_ slot: ID) -> Bool { slab.has(slot) }

    /// Whether a slot is in use: inserted, and not removed since.
    @inlinable package func isInUse(_ slot: ID) -> Bool { slab.isInUse(slot) }

    // MARK: - Elements

    /// The element of a slot; its page is copied before a change if it is unwritten.
    @inlinable
    package subscript(slot: ID) -> Element {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(slab.pointer(slot)) }
        @inline(__always) unsafeMutableAddress {
            copyBeforeWrite(slot)
            return unsafe slab.pointer(slot)
        }
    }

    /// Prefetches the element's cache line.
    @inlinable @inline(__always)
    package func prefetch(_ slot: ID) { slab.prefetch(slot) }

    /// Stores an element and returns its slot, which stays reserved for it until `remove`.
    @inlinable
    package mutating func insert(_ element: Element) -> ID {
        copyBeforeWrite(slab.nextSlot)
        let slot = slab.insert(element)
        addPages()
        return slot
    }

    /// Stores an element in a slot that is not in use. Slots skipped below it become free, filled
    /// with the same element.
    @inlinable
    package mutating func insert(_ element: Element, at slot: ID) {
        copyBeforeWrite(number: min(Slab<ID, Element>.number(slot), end))
        slab.insert(element, at: slot)
        addPages()
    }

    /// Raises `end` above `slot`, filling the new slots, for tables that share another table's
    /// numbering.
    ///
    /// The new slots count as in use.
    @inlinable
    package mutating func reserve(through slot: ID, filling element: Element) {
        if has(slot) { return }
        copyBeforeWrite(number: end)
        slab.reserve(through: slot, filling: element)
        addPages()
    }

    /// Raises `end` to `newEnd`, filling the new slots, which are free.
    @inlinable
    package mutating func extend(to newEnd: UInt32, filling element: Element) {
        copyBeforeWrite(number: end)
        slab.extend(to: newEnd, filling: element)
        addPages()
    }

    /// Releases a slot; its element must not be used any more.
    @inlinable
    package mutating func remove(_ slot: ID) {
        copyBeforeWrite(slot)
        slab.remove(slot)
    }

    /// Must precede every change of a slot's element or of its use: copies the page if it is
    /// unwritten.
    @inlinable @inline(__always)
    mutating func copyBeforeWrite(_ slot: ID) {
        copyBeforeWrite(number: Slab<ID, Element>.number(slot))
    }

    /// Does what `copyBeforeWrite` does, for the number of a slot.
    @inlinable @inline(__always)
    mutating func copyBeforeWrite(number: UInt32) {
        let page = SlabPages.page(of: number)
        if marks.copyBeforeWrite(page) { copy(page) }
    }

    /// Tracks pages that an insertion has added; they are not part of a running checkpoint.
    @inlinable
    mutating func addPages() { marks.grow(to: SlabPages.count(end)) }

    // MARK: - Checkpoints

    /// The number of pages that the checkpoint has still to write, copies included.
    var unwrittenPageCount: Int { marks.unwrittenCount + copies.count }

    /// Starts to record which pages change. Content that is in the store already (`isSaved`) counts
    /// as unchanged.
    package mutating func startTracking(isSaved: Bool = false) {
        marks.startTracking(pageCount: SlabPages.count(end), isSaved: isSaved)
    }

    /// Begins a checkpoint of the present content, whose pages `nextUnwritten` then returns.
    package mutating func beginCheckpoint() {
        precondition(unwrittenPageCount == 0, "the last checkpoint is not finished")
        marks.beginCheckpoint()
        savedEnd = end
        nextPage = 0
    }

    /// Returns the next page for the checkpoint, which then counts as written. Copies come first,
    /// because they take memory; the other pages follow in their order. Returns the page, valid
    /// until the slab's next change; nil if every page is written.
    package mutating func nextUnwritten() -> SlabPage<Element>? {
        if let (page, bytes) = unsafe copies.popLast() {
            return unsafe SlabPage(page, elements: bytes.assumingMemoryBound(to: Element.self))
        }
        guard let number = marks.nextUnwrittenPage(from: nextPage) else { return nil }
        nextPage = number + 1
        marks.markWritten(number)
        return unsafe SlabPage(
            page(number),
            elements: UnsafePointer(slab.address(SlabPages.first(of: number)))
        )
    }

    /// Abandons the running checkpoint: the next one writes all of its pages again.
    package mutating func abandonCheckpoint() {
        copies.removeAll()
        marks.abandonCheckpoint()
    }

    /// Copies a page as it is now, for the running checkpoint.
    @usableFromInline @inline(never)
    mutating func copy(_ number: UInt32) {
        let page = page(number)
        unsafe copies.append(
            page,
            bytes: slab.address(SlabPages.first(of: number)),
            length: Int(page.count) * MemoryLayout<Element>.stride
        )
    }

    /// The number of a page and its count of elements when the checkpoint began.
    private func page(_ number: UInt32) -> PageCopies.Page {
        PageCopies.Page(
            number: number,
            count: min(SlabPages.length, savedEnd - SlabPages.first(of: number))
        )
    }
}

/// A page of a `TrackedSlab` as it was when the checkpoint began; valid until the slab's next
/// change.
@safe
package struct SlabPage<Element: BitwiseCopyable> {
    /// The page's number, as `SlabPages.page(of:)` gives it for its elements.
    package let number: UInt32
    /// The number of elements: `SlabPages.length`, except in the slab's last page.
    package let count: Int
    @usableFromInline let elements: UnsafePointer<Element>

    @unsafe
    init(_ page: PageCopies.Page, elements: UnsafePointer<Element>) {
        number = page.number
        count = Int(page.count)
        unsafe self.elements = unsafe elements
    }

    /// The element at a position in the page, counted from 0; traps from `count` on.
    @inlinable
    package subscript(index: Int) -> Element {
        precondition(index >= 0 && index < count, "a page has no such element")
        return unsafe elements[index]
    }
}
