package import Basics
internal import StoreFormat

/// Writes the values of all widgets page by page while they keep changing. It works as
/// `TrackedSlab` does, except that a page is copied as the bytes to be written.
extension WidgetFields {
    /// The number of pages of widgets that have, or had, values.
    package var pageCount: UInt32 { SlabPages.count(blocks.end) }

    /// Starts to record which pages change; `isSaved` says whether the present values count as
    /// unchanged.
    package mutating func startTracking(isSaved: Bool) {
        marks.startTracking(pageCount: pageCount, isSaved: isSaved)
    }

    /// Marks all pages as changed, because the kinds' lists have changed. No checkpoint may be
    /// under way.
    ///
    /// Values in any page may have become meaningless, so all pages must be written again.
    package mutating func listsChanged() { marks.changeAll() }

    /// Starts a checkpoint: `nextUnwritten` will return the values that widgets have now.
    package mutating func beginCheckpoint() {
        marks.beginCheckpoint()
        nextUnwrittenPage = 0
    }

    /// Returns the number of the next page that the checkpoint has not written yet, and its bytes
    /// in the format of `write`, valid until the next change; nil if no page is left. The lists of
    /// the catalog must not have changed since `beginCheckpoint`.
    package mutating func nextUnwritten(
        catalog: borrowing FieldCatalog
    ) -> (page: UInt32, bytes: ByteView)? {
        if copies.isEmpty, let page = marks.nextUnwrittenPage(from: nextUnwrittenPage) {
            nextUnwrittenPage = page + 1
            marks.markWritten(page)
            copy(page, catalog: catalog)
        }
        return copies.popLast().map { ($0.name, $0.body) }
    }

    /// Ends the checkpoint before it is complete.
    package mutating func abandonCheckpoint() {
        copies.removeAll()
        marks.abandonCheckpoint()
    }

    /// Saves a page as the bytes to be written.
    @inline(never)
    mutating func copy(_ page: UInt32, catalog: borrowing FieldCatalog) {
        copies.begin(page)
        Self.write(
            SlabPages.ids(of: page),
            blocks: blocks,
            arena: arena,
            catalog: catalog,
            to: &copies.writer
        )
    }
}
