package import DataStructures
internal import ReloadModel
internal import StoreFormat

/// What widgets have, written page by page while it changes; as `TrackedSlab` does it, but that a
/// page is copied as the bytes which will be written.
extension WidgetFields {
    /// Pages that widgets have anything in.
    package var pageCount: UInt32 { SlabPages.count(blocks.end) }

    /// Starts to remember which pages change.
    ///
    /// - Parameter isSaved: whether what is there counts as not changed.
    package mutating func startTracking(isSaved: Bool) {
        marks.startTracking(pageCount: pageCount, isSaved: isSaved)
    }

    /// The kinds' lists are others; no checkpoint may be under way.
    ///
    /// What is in a page may mean nothing any more, so all of them are written anew.
    package mutating func listsChanged() {
        marks.changeAll()
    }

    /// A checkpoint begins: `takeOwed` hands out what widgets have now.
    package mutating func beginCheckpoint() {
        marks.beginCheckpoint()
        nextOwedPage = 0
    }

    /// Hands out a page that the checkpoint is owed.
    ///
    /// - Parameter catalog: the lists, which have not changed since `beginCheckpoint`.
    /// - Returns: the page's number, and its bytes as `write` has them, valid until the next change;
    ///   nil if nothing is owed.
    package mutating func takeOwed(
        catalog: borrowing FieldCatalog
    ) -> (page: UInt32, bytes: ByteView)? {
        if copies.isEmpty, let page = marks.nextOwed(from: nextOwedPage) {
            nextOwedPage = page + 1
            marks.saved(page)
            copy(page, catalog)
        }
        return copies.popLast().map { ($0.name, $0.body) }
    }

    /// The checkpoint will not be finished.
    package mutating func abandonCheckpoint() {
        copies.removeAll()
        marks.abandonCheckpoint()
    }

    @inline(never)
    mutating func copy(_ page: UInt32, _ catalog: borrowing FieldCatalog) {
        copies.begin(page)
        Self.write(SlabPages.elements(of: page), blocks, arena, catalog, to: &copies.writer)
    }
}
