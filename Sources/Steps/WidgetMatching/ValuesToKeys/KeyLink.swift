internal import Basics

/// A widget's entry under one key: the key, and the position among its postings.
///
///     a block of links    [ number of the last push that found it u64 | count u32 | link … ]
///
/// Links ascend by key, so that the link of a posting that moved is found by bisection. A widget
/// under one key by which a push finds it at most once needs no block (`StoredWidget`).
struct KeyLink: BitwiseCopyable {
    /// Bytes of a block before its links.
    static var header: Int { 12 }

    /// The key under which the widget is stored.
    let key: KeyID
    /// Index of the widget's posting among those of the key.
    var position = PostingPosition(0)

    /// Bytes of a block of `count` links.
    static func blockLength(_ count: Int) -> Int { header + count * MemoryLayout<KeyLink>.stride }
}

extension WidgetIndex {
    /// Stores `draft.links`, of which there is at least one, as the links of a widget that has none
    /// yet, and adds its posting to each of the keys.
    mutating func storeLinks(of widget: WidgetID, needsCheck: Bool, repeats: Posting.Repeat) {
        assert(draft.links.count > 0, "a widget without keys has no links")
        assert(!widgets[widget].links.isLinked, "widget \(widget) is linked already")
        orderLinks()
        let needsBlock = draft.links.count > 1 || repeats > .never
        let posting = Posting(widget, needsCheck: needsCheck, repeats: repeats)
        for number in 0..<draft.links.count {
            draft.links[number].position = keys.append(posting, to: draft.links[number].key)
        }
        if !needsBlock {
            widgets[widget].links = StoredLinks(draft.links[0])
            return
        }
        let block: ArenaBlock = configurations.allocate(KeyLink.blockLength(draft.links.count))
        widgets[widget].links = StoredLinks(block)
        setLastPush(of: widget, to: 0)
        let base = unsafe configurations.pointer(block)
        unsafe base.storeBytes(of: UInt32(draft.links.count), toByteOffset: 8, as: UInt32.self)
        unsafe (base + KeyLink.header).copyMemory(
            from: draft.links.elements,
            byteCount: draft.links.count * MemoryLayout<KeyLink>.stride
        )
    }

    /// Sorts `draft.links` by key and drops repeats: a parameter's list may contain a value twice.
    private mutating func orderLinks() {
        draft.links.sort { $0.key < $1.key }
        draft.links.dropRepeats(from: 0) { $0.key == $1.key }
    }

    /// Removes a widget from all its keys, if it has any. Keys under which no other widget is are
    /// removed, also from the hot keys.
    mutating func unlink(_ widget: WidgetID, updating hotKeys: inout HotKeys) {
        let record = widgets[widget]
        if !record.links.isLinked { return }
        widgets[widget].links = .none
        if let block = record.links.block {
            let count = linkCount(block)
            for number in 0..<count {
                removePosting(of: unsafe links(block)[number], updating: &hotKeys)
            }
            unsafe configurations.free(block, byteCount: KeyLink.blockLength(count))
        } else {
            removePosting(of: record.links.only, updating: &hotKeys)
        }
        if shapes[record.shape].hasParameterRegexps { releaseRegexes(record) }
    }

    /// Removes the posting of a link from its key, and the key if it was the last.
    private mutating func removePosting(of link: KeyLink, updating hotKeys: inout HotKeys) {
        let removed = keys.remove(link.position, from: link.key)
        if let moved = removed.moved { setPosition(of: moved.widget, to: link) }
        if removed.isEmpty {
            hotKeys.remove(link.key.rawValue)
            removeKey(link.key)
        }
    }

    /// Updates a widget's link after the removal of another widget has moved its posting to the
    /// position of `link`.
    private mutating func setPosition(of widget: WidgetID, to link: KeyLink) {
        guard let block = widgets[widget].links.block else {
            assert(widgets[widget].links.only.key == link.key, "the posting is of another key")
            widgets[widget].links = StoredLinks(link)
            return
        }
        let links = unsafe links(block)
        var low = 0
        var high = linkCount(block) - 1
        while low < high {
            let middle = (low + high) / 2
            if unsafe links[middle].key < link.key { low = middle + 1 } else { high = middle }
        }
        unsafe assert(links[low].key == link.key, "a posting of a widget that is not under the key")
        unsafe links[low].position = link.position
    }

    /// The number of links in a block.
    func linkCount(_ block: ArenaBlock) -> Int {
        unsafe Int(configurations.pointer(block).load(fromByteOffset: 8, as: UInt32.self))
    }

    /// The links of a widget that has a block of them.
    func links(of widget: WidgetID) -> [KeyLink] {
        let block = widgets[widget].links.certainBlock
        return unsafe Array(UnsafeBufferPointer(start: links(block), count: linkCount(block)))
    }

    /// The links of a block, valid until the block is freed.
    @unsafe
    func links(_ block: ArenaBlock) -> UnsafeMutablePointer<KeyLink> {
        let first = unsafe configurations.pointer(block) + KeyLink.header
        return unsafe first.assumingMemoryBound(to: KeyLink.self)
    }

    /// The number of the last push that found the widget under one of its keys; the widget has a
    /// block of links.
    ///
    /// It belongs to the search, and lies here because the search reads the cache line anyway.
    @inline(__always)
    func lastPush(of widget: WidgetID) -> UInt64 {
        unsafe configurations.pointer(widgets[widget].links.certainBlock).loadUnaligned(
            as: UInt64.self
        )
    }

    /// Records that a push has found the widget, which has a block of links.
    @inline(__always)
    func setLastPush(of widget: WidgetID, to number: UInt64) {
        unsafe configurations.pointer(widgets[widget].links.certainBlock).storeBytes(
            of: number,
            as: UInt64.self
        )
    }
}
