internal import Basics

/// What a block has of the keys by which pushes match the widget.
///
/// A widget may be of several entities: of both games that a person has chosen. Each push is of one
/// of them, by the values that its rule compares with the configuration. A block's hashes are those
/// of the last push's key; the ones that pushes of other keys left are kept after the texts, those
/// of the latest first.
extension FieldBlock.Header {
    static var keyFlag: UInt8 { 2 }
    static var orderFlag: UInt8 { 4 }

    /// Whether the next push counts as a change, whatever values it has.
    var nextPushIsChange: Bool {
        get { flags & 1 != 0 }
        set { flags = newValue ? flags | 1 : flags & ~1 }
    }

    /// Whether the kind's rule has keys.
    var hasKey: Bool { flags & Self.keyFlag != 0 }

    /// Whether the kind names a field of which the highest value is the newest.
    var hasOrder: Bool { flags & Self.orderFlag != 0 }

    /// How many keys the block has beside that of the last push.
    var otherKeyCount: Int {
        get { Int(flags >> 3) }
        set {
            assert(newValue >= 0 && newValue <= WidgetFields.otherKeyLimit, "\(newValue) keys")
            flags = flags & 7 | UInt8(newValue) << 3
        }
    }

    /// The size of a key and its order.
    var keyByteCount: Int { (hasKey ? 4 : 0) + (hasOrder ? UpdateOrder.byteCount : 0) }

    /// The size of all that the block has of another key.
    var otherKeyByteCount: Int { keyByteCount + 2 + observed.count * 8 }

    /// The size of what the block has of keys.
    var keysByteCount: Int { keyByteCount + otherKeyCount * otherKeyByteCount }
}

extension FieldBlock {
    /// Where the key of the last push stands.
    private var keys: UnsafeMutableRawPointer {
        let header = unsafe self.header
        return unsafe base + (Int(header.byteCount) - header.keysByteCount)
    }

    /// Where another key stands.
    private func other(_ index: Int) -> UnsafeMutableRawPointer {
        let header = unsafe self.header
        assert(index >= 0 && index < header.otherKeyCount, "key \(index)")
        return unsafe keys + (header.keyByteCount + index * header.otherKeyByteCount)
    }

    /// The key of the last push; `none` if it is not known, because a former version wrote the
    /// values.
    var key: UpdateKey {
        get { unsafe UpdateKey(rawValue: keys.loadUnaligned(as: UInt32.self)) }
        nonmutating set { unsafe keys.storeBytes(of: newValue.rawValue, as: UInt32.self) }
    }

    /// The order of the newest push of that key.
    var order: UpdateOrder {
        get { unsafe Self.order(at: keys + (header.hasKey ? 4 : 0)) }
        nonmutating set { unsafe Self.put(newValue, at: keys + (header.hasKey ? 4 : 0)) }
    }

    /// Whether all orders are such, and other keys have hashes of what is known alone.
    var areKeysValid: Bool {
        let header = unsafe self.header
        func isOrder(at memory: UnsafeMutableRawPointer) -> Bool {
            let form = unsafe memory.load(fromByteOffset: 8, as: UInt8.self)
            return unsafe UpdateOrder(form: form, bits: memory.loadUnaligned(as: UInt64.self))
                != nil
        }
        if unsafe header.hasOrder && !isOrder(at: keys + (header.hasKey ? 4 : 0)) { return false }
        return (0..<header.otherKeyCount).allSatisfy { index in
            if unsafe header.hasOrder && !isOrder(at: other(index) + 4) { return false }
            let known = unsafe known(ofOther: index)
            if unsafe !known.isSubset(of: observed) { return false }
            return (0..<UInt16.bitWidth).allSatisfy { position in
                unsafe !observed[position] || known[position]
                    || hash(at: position, ofOther: index) == 0
            }
        }
    }

    private static func order(at memory: UnsafeMutableRawPointer) -> UpdateOrder {
        let form = unsafe memory.load(fromByteOffset: 8, as: UInt8.self)
        return unsafe UpdateOrder(form: form, bits: memory.loadUnaligned(as: UInt64.self)) ?? .none
    }

    private static func put(_ order: UpdateOrder, at memory: UnsafeMutableRawPointer) {
        unsafe memory.storeBytes(of: order.bits, as: UInt64.self)
        unsafe memory.storeBytes(of: order.form, toByteOffset: 8, as: UInt8.self)
    }

    /// Another key.
    func otherKey(_ index: Int) -> UpdateKey {
        unsafe UpdateKey(rawValue: other(index).loadUnaligned(as: UInt32.self))
    }

    /// Whether no key stands twice.
    var hasDistinctKeys: Bool {
        var keys: Set<UInt32> = []
        if unsafe header.hasKey { unsafe keys.insert(key.rawValue) }
        for index in unsafe 0..<header.otherKeyCount {
            let other = unsafe otherKey(index)
            // Who has several keys has them all from pushes, and none of them is no key.
            if unsafe key == .none || other == .none || !keys.insert(other.rawValue).inserted {
                return false
            }
        }
        return true
    }

    /// The place of another key; nil if the block does not have it.
    func place(of key: UpdateKey) -> Int? {
        for index in unsafe 0..<header.otherKeyCount
        where unsafe otherKey(index) == key {
            return index
        }
        return nil
    }

    /// The order of the newest push of another key.
    func order(ofOther index: Int) -> UpdateOrder { unsafe Self.order(at: other(index) + 4) }

    /// The fields whose hash is known of another key.
    func known(ofOther index: Int) -> FieldPositions {
        let offset = unsafe header.keyByteCount
        let bits = unsafe other(index).loadUnaligned(fromByteOffset: offset, as: UInt16.self)
        return FieldPositions(rawValue: bits)
    }

    /// The hash that another key has of an observed field.
    func hash(at position: Int, ofOther index: Int) -> UInt64 {
        let offset = unsafe header.keyByteCount + 2 + observed.count(before: position) * 8
        return unsafe other(index).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// Makes another key's values those of the block, and the block's those of the first other key.
    /// The key stands at `place`; if the block has not had it (nil), the last of the other keys is
    /// given up. All keys have the hash of the shared fields in common.
    func take(_ key: UpdateKey, from place: Int?, shared: FieldPositions) {
        var header = unsafe self.header
        let order = header.hasOrder ? place.map { unsafe self.order(ofOther: $0) } : nil
        var known = place.map { unsafe self.known(ofOther: $0) } ?? []
        known.subtract(shared)
        let last = place ?? header.otherKeyCount - 1
        assert(last >= 0, "no place for the block's own key")
        // The hashes of both keys change places one by one; then the other keys move up.
        let size = header.otherKeyByteCount
        let hashes = header.keyByteCount + 2
        unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
            let copy = buffer.baseAddress!
            unsafe copy.copyMemory(from: keys, byteCount: header.keyByteCount)
            let own = header.known.subtracting(shared)
            unsafe copy.storeBytes(
                of: own.rawValue,
                toByteOffset: header.keyByteCount,
                as: UInt16.self
            )
            // What is not known is 0, so that equal states are the same bytes.
            unsafe (copy + hashes).initializeMemory(
                as: UInt8.self,
                repeating: 0,
                count: observed.count * 8
            )
            for position in 0..<UInt16.bitWidth where own[position] {
                unsafe copy.storeBytes(
                    of: self[hashAt: position],
                    toByteOffset: hashes + observed.count(before: position) * 8,
                    as: UInt64.self
                )
            }
            for position in 0..<UInt16.bitWidth where known[position] {
                unsafe self[hashAt: position] = hash(at: position, ofOther: last)
            }
            let first = unsafe other(0)
            unsafe (first + size).copyMemory(from: first, byteCount: last * size)
            unsafe first.copyMemory(from: copy, byteCount: size)
        }
        header.known = header.known.intersection(shared).union(known)
        unsafe self.header = header
        unsafe self.key = key
        if header.hasOrder { unsafe self.order = order ?? .none }
    }

    /// Copies what a block of the same generation has of keys, as far as there is space.
    func copyKeys(of block: FieldBlock) {
        let header = unsafe self.header
        let count = unsafe min(header.otherKeyCount, block.header.otherKeyCount)
        let byteCount = header.keyByteCount + count * header.otherKeyByteCount
        unsafe keys.copyMemory(from: block.keys, byteCount: byteCount)
    }

    /// What the block has of keys, as stores have it.
    var keysView: ByteView { unsafe ByteView(base: keys, count: header.keysByteCount) }

    /// Sets what the block has of keys from its stored form, which has the block's size.
    func setKeys(_ bytes: ByteView) {
        unsafe assert(bytes.count == header.keysByteCount, "\(bytes.count) bytes of keys")
        unsafe bytes.copy(to: keys)
    }

    /// Clears what the block has of keys.
    func clearKeys() {
        unsafe keys.initializeMemory(as: UInt8.self, repeating: 0, count: header.keysByteCount)
    }
}

/// By which values a push matches widgets of a kind: a hash of those that the kind's rule compares
/// with configurations.
///
/// Two keys are taken for one with a probability of 2^-32; then the values of the one are compared
/// with those of the other.
struct UpdateKey: BitwiseCopyable, Equatable {
    let rawValue: UInt32

    /// No key, or one that is not known.
    static var none: UpdateKey { UpdateKey(rawValue: 0) }
}
