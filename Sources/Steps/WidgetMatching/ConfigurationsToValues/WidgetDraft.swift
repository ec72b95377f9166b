/// What is built while a widget is stored; its memory is reused for the next one.
struct WidgetDraft: ~Copyable {
    /// The widget's configuration.
    var configuration = ConfigurationReader()
    /// The keys under which the widget will be stored.
    var links = GrowingBuffer<KeyLink>(capacity: 64)
    /// The words of the next key, or the elements of a list or layout.
    var keyWords = GrowingBuffer<Word>(capacity: 64)
    /// Memory for the text of a key with its case folded.
    var folded = GrowingBuffer<UInt8>(capacity: 1_024)

    /// Bytes allocated, used or not.
    var byteCount: Int {
        configuration.byteCount + links.byteCount + keyWords.byteCount + folded.byteCount
    }
}
