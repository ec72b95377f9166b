internal import DataStructures
internal import ReloadModel
internal import RouterMetrics

/// A widget's entry under one key: the key, and the position among its postings.
///
///     a block of links    [ number of the last push that found it u64 | count u32 | link … ]
///
/// Links ascend by key, so that the link of a posting that moved is found by bisection. A widget
/// under one key by which a push finds it at most once needs no block (`StoredWidget`).
struct Link: BitwiseCopyable {
    /// Bytes of a block before its links.
    static var header: Int { 12 }

    /// The key under which the widget is stored.
    let key: KeyID
    /// Index of the widget's posting among those of the key.
    var position: UInt32 = 0

    /// Bytes of a block of `count` links.
    static func blockLength(_ count: Int) -> Int {
        header + count * MemoryLayout<Link>.stride
    }
}

extension WidgetIndex {
    /// Stores `draft.links`, of which there is at least one, as the widget's links, and adds its
    /// posting to each of the keys.
    ///
    /// - Parameters:
    ///   - widget: the widget; it is not linked yet.
    ///   - needsCheck: whether conditions remain that the keys do not decide.
    ///   - repeats: whether a push may find the widget more than once.
    mutating func storeLinks(
        of widget: WidgetID,
        needsCheck: Bool,
        repeats: Posting.Repeat
    ) {
        orderLinks()
        let needsBlock = draft.links.count > 1 || repeats > .never
        let posting = Posting(widget, needsCheck: needsCheck, repeats: repeats)
        for number in 0..<draft.links.count {
            draft.links[number].position = keys.append(posting, to: draft.links[number].key)
        }
        if !needsBlock {
            widgets[widget].key = draft.links[0].key
            widgets[widget].position = draft.links[0].position
            return
        }
        let block = configurations.allocate(Link.blockLength(draft.links.count))
        widgets[widget].key = block
        widgets[widget].position = StoredWidget.linksInBlock
        setLastPush(of: widget, to: 0)
        let base = unsafe configurations.pointer(block)
        unsafe base.storeBytes(of: UInt32(draft.links.count), toByteOffset: 8, as: UInt32.self)
        unsafe (base + Link.header).copyMemory(
            from: draft.links.elements,
            byteCount: draft.links.count * MemoryLayout<Link>.stride
        )
    }

    /// Sorts `draft.links` by key and drops repeats: a parameter's list may contain a value twice.
    private mutating func orderLinks() {
        if draft.links.count == 1 { return }
        draft.links.sort(from: 0) { $0.key < $1.key }
        var kept = 1
        for number in 1..<draft.links.count
        where draft.links[number].key != draft.links[kept - 1].key {
            draft.links[kept] = draft.links[number]
            kept += 1
        }
        draft.links.truncate(to: kept)
    }

    /// Removes a widget from all its keys.
    ///
    /// - Parameters:
    ///   - widget: the widget; nothing happens if it has no keys.
    ///   - hotKeys: loses the keys that are removed because no other widget is under them.
    mutating func unlink(_ widget: WidgetID, updating hotKeys: inout HotKeys) {
        let record = widgets[widget]
        if record.position == StoredWidget.notLinked { return }
        widgets[widget].position = StoredWidget.notLinked
        if record.position != StoredWidget.linksInBlock {
            removePosting(record.position, from: record.key, updating: &hotKeys)
        } else {
            let count = linkCount(record.key)
            for number in 0..<count {
                let link = unsafe links(record.key)[number]
                removePosting(link.position, from: link.key, updating: &hotKeys)
            }
            configurations.free(record.key, byteCount: Link.blockLength(count))
        }
        if shapes[record.shape].hasParameterRegexps { releaseRegexes(record) }
    }

    /// Removes a posting from a key, and the key if it was the last.
    private mutating func removePosting(
        _ position: UInt32,
        from key: KeyID,
        updating hotKeys: inout HotKeys
    ) {
        let removed = keys.remove(position, from: key)
        if let moved = removed.moved { setPosition(of: moved.widget, in: key, to: position) }
        if removed.isEmpty {
            hotKeys.remove(key)
            removeKey(key)
        }
    }

    /// Updates a widget's link after the removal of another widget has moved its posting.
    private mutating func setPosition(of widget: WidgetID, in key: KeyID, to position: UInt32) {
        let record = widgets[widget]
        if record.position != StoredWidget.linksInBlock {
            widgets[widget].position = position
            return
        }
        let links = unsafe links(record.key)
        var low = 0
        var high = linkCount(record.key) - 1
        while low < high {
            let middle = (low + high) / 2
            if unsafe links[middle].key < key { low = middle + 1 } else { high = middle }
        }
        unsafe assert(links[low].key == key, "a posting of a widget that is not under the key")
        unsafe links[low].position = position
    }

    /// The number of links in a block.
    private func linkCount(_ block: UInt32) -> Int {
        unsafe Int(configurations.pointer(block).load(fromByteOffset: 8, as: UInt32.self))
    }

    /// The links of a block, valid until the block is freed.
    @unsafe
    private func links(_ block: UInt32) -> UnsafeMutablePointer<Link> {
        unsafe (configurations.pointer(block) + Link.header).assumingMemoryBound(to: Link.self)
    }

    /// The number of the last push that found the widget under one of its keys; the widget has a
    /// block of links.
    ///
    /// It belongs to the search, and lies here because the search reads the cache line anyway.
    @inline(__always)
    func lastPush(of widget: WidgetID) -> UInt64 {
        unsafe configurations.pointer(widgets[widget].key).loadUnaligned(as: UInt64.self)
    }

    /// Records that a push has found the widget, which has a block of links.
    @inline(__always)
    func setLastPush(of widget: WidgetID, to number: UInt64) {
        unsafe configurations.pointer(widgets[widget].key).storeBytes(of: number, as: UInt64.self)
    }
}
