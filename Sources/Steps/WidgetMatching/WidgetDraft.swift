/// What is put together while a widget is stored: memory that is used again for the next one.
struct WidgetDraft: ~Copyable {
    /// The widget's configuration.
    var configuration = ConfigurationReader()
    /// The keys that it will stand under.
    var links = GrowingBuffer<Link>(capacity: 64)
    /// The words of the next of these keys, or the elements of a list or layout.
    var keyWords = GrowingBuffer<UInt32>(capacity: 64)
    var folded = FoldBuffer()

    /// Bytes held from the system, used or not.
    var byteCount: Int { links.byteCount + keyWords.byteCount + folded.byteCount }
}
