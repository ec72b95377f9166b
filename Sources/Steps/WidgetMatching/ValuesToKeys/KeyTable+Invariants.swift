internal import Basics

extension KeyTable {
    /// What a key must have, as the widgets and the key's space say.
    struct Expected {
        var hash: UInt64
        var wordCount: Int
        /// The widgets under the key, by the positions that their links name.
        var widgets: [WidgetID]
    }

    /// Asserts that the table has exactly these keys, each found by its hash, with the postings
    /// that the widgets' links name; and that lists and bytes are counted correctly.
    func checkInvariants(_ expected: [KeyID: Expected]) {
        assert(index.count == expected.count, "there are keys under which no widget is")
        var (listCount, recordBytes, postingBytes) = (0, 0, 0)
        for (key, wanted) in expected {
            let found = index.find(wanted.hash) { (other: KeyID) in other == key }
            assert(found == key, "key \(key) is not found by its hash")
            assert(postingCount(key) == wanted.widgets.count, "postings of key \(key)")
            recordBytes += ByteArena.size(ofBlock: Self.header + wanted.wordCount << 2)
            if let single = single(key) {
                assert(single.widget == wanted.widgets[0], "the posting of key \(key)")
                continue
            }
            listCount += 1
            let list = list(key)
            postingBytes += postings.checkInvariants(of: list)
            for (position, widget) in wanted.widgets.enumerated() {
                let found = posting(of: key, at: position).widget
                assert(found == widget, "posting \(position) of key \(key)")
            }
        }
        assert(lists.count == listCount, "lists of keys that are gone are kept")
        assert(records.usedByteCount == recordBytes, "bytes of keys that are gone are kept")
        assert(postings.usedByteCount == postingBytes, "bytes of postings that are gone are kept")
    }
}
