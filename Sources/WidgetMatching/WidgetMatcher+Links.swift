internal import ByteStorage
internal import ReloadModel

/// One place of a widget in the index: a key, and the position in its posting list.
///
///     a block of links    [ number of the last push that met the widget u64 | link … ]
///
/// Links ascend by key, so that the one whose posting has moved is found by bisection.
struct Link: BitwiseCopyable {
    static var header: Int { 8 }

    let key: UInt32
    var position: UInt32 = 0

    static func blockLength(_ count: Int) -> Int {
        header + count * MemoryLayout<Link>.stride
    }
}

extension WidgetMatcher {
    /// Makes the keys of the anchor's values and puts a link to each in `links`, in order and once:
    /// a list may name a value twice.
    mutating func makeLinks(_ range: Range<Int>) {
        links.truncate(to: 0)
        for number in range {
            let (key, isNew) = index.key(values[number])
            if isNew { reader.vocabulary.countKey(values[number].attribute, 1) }
            links.append(Link(key: key))
        }
        if links.count == 1 { return }
        var all = unsafe UnsafeMutableBufferPointer(start: links.elements, count: links.count)
        unsafe all.sort { $0.key < $1.key }
        var kept = 1
        for number in 1..<links.count where links[number].key != links[kept - 1].key {
            links[kept] = links[number]
            kept += 1
        }
        links.truncate(to: kept)
    }

    /// Notes what is in `links` as the widget's own.
    mutating func storeLinks(of widget: WidgetID) {
        widgets[widget].linkCount = UInt32(links.count)
        if links.count == 1 {
            widgets[widget].key = links[0].key
            widgets[widget].position = links[0].position
            return
        }
        let block = configurations.allocate(Link.blockLength(links.count))
        widgets[widget].key = block
        setLastPush(of: widget, 0)
        unsafe (configurations.pointer(block) + Link.header).copyMemory(
            from: links.elements,
            byteCount: links.count * MemoryLayout<Link>.stride
        )
    }

    /// The links of a widget that has several.
    @unsafe
    func storedLinks(of widget: WidgetID) -> UnsafeMutablePointer<Link>? {
        if widgets[widget].linkCount < 2 { return nil }
        return unsafe (configurations.pointer(widgets[widget].key) + Link.header)
            .assumingMemoryBound(to: Link.self)
    }

    /// The link of a widget that has one.
    func singleLink(of widget: WidgetID) -> Link {
        Link(key: widgets[widget].key, position: widgets[widget].position)
    }

    /// Another widget's removal has moved this one within a posting list.
    mutating func setPosition(of widget: WidgetID, in key: UInt32, to position: UInt32) {
        guard let links = unsafe storedLinks(of: widget) else {
            widgets[widget].position = position
            return
        }
        var low = 0
        var high = Int(widgets[widget].linkCount) - 1
        while low < high {
            let middle = (low + high) / 2
            if unsafe links[middle].key < key { low = middle + 1 } else { high = middle }
        }
        unsafe assert(links[low].key == key, "a posting of a widget that is not under the key")
        unsafe links[low].position = position
    }

    /// The number of the last push that met a widget under one of several keys.
    @inline(__always)
    func lastPush(of widget: WidgetID) -> UInt64 {
        unsafe configurations.pointer(widgets[widget].key).load(as: UInt64.self)
    }

    @inline(__always)
    func setLastPush(of widget: WidgetID, _ number: UInt64) {
        unsafe configurations.pointer(widgets[widget].key).storeBytes(of: number, as: UInt64.self)
    }
}
