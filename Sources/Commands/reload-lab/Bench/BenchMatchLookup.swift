import DataStructures
import ReloadModel

/// The reference for the matcher: a bare hash table from widgets' values to their numbers.
///
///     slots   [ fingerprint u32 | widget u32 | offset of the key << 16 | its length ]
///     keys    [ app u16 | bytes ] …
///
/// Collisions probe linearly. Values are looked up a batch at a time, in stages that let the cache
/// misses overlap. Where two widgets share a value, the first is found.
@safe
struct BenchMatchLookup: ~Copyable {
    private struct Slot {
        var fingerprint: UInt32
        var widget: UInt32
        /// The offset of its key in `keys`, shifted left by 16 bits, and the length of the value.
        var keyRange: UInt64
    }

    private static var none: UInt32 { UInt32.max }

    private let slots: UnsafeMutablePointer<Slot>
    private let mask: Int
    private let seed: UInt64
    private var keys: UnsafeMutableRawPointer
    /// The number of bytes in `keys` that are used.
    private var keyCount = 0
    private var keyCapacity = 1 << 16

    init(_ generator: any BenchMatchGenerator, seed: UInt64) {
        // The table is at most three quarters full.
        var capacity = 16
        while capacity * 3 < generator.widgets * 4 { capacity *= 2 }
        mask = capacity - 1
        self.seed = seed
        unsafe keys = .allocate(byteCount: 1 << 16, alignment: 64)
        unsafe slots = .allocate(capacity: capacity)
        let empty = Slot(fingerprint: 0, widget: Self.none, keyRange: 0)
        unsafe slots.initialize(repeating: empty, count: capacity)
        var text = BenchMatchText()
        for widget in 0..<generator.widgets {
            text.removeAll()
            guard let key = generator.writeConfiguration(of: widget, to: &text) else { continue }
            let app = generator.app(of: widget)
            text.bytes.withByteView { bytes in
                insert(
                    bytes.slice(key.lowerBound, to: key.upperBound),
                    app: app,
                    widget: UInt32(widget)
                )
            }
        }
    }

    deinit {
        unsafe slots.deallocate()
        unsafe keys.deallocate()
    }

    // MARK: - Finding

    /// What a batch of lookups passes from one stage to the next.
    struct Scratch {
        fileprivate var hashes: [UInt64]
        fileprivate var positions: [Int]

        init(limit: Int) {
            hashes = Array(repeating: 0, count: limit)
            positions = Array(repeating: -1, count: limit)
        }
    }

    /// Looks up values in `bytes`, at most as many as `scratch` was made for.
    ///
    /// - Returns: the sum of the numbers of the widgets that were found.
    func find(
        _ values: ArraySlice<BenchMatchEvents.Key>,
        in bytes: ByteView,
        using scratch: inout Scratch
    ) -> Int {
        for (number, key) in values.enumerated() {
            let hash = hash(bytes.slice(key.text.lowerBound, to: key.text.upperBound), app: key.app)
            scratch.hashes[number] = hash
            unsafe prefetchLine(slots + Int(truncatingIfNeeded: hash) & mask)
        }
        for number in 0..<values.count {
            let position = candidate(scratch.hashes[number])
            scratch.positions[number] = position
            if position < 0 { continue }
            unsafe prefetchLine(keys + Int(slots[position].keyRange >> 16))
        }
        var sum = 0
        for (number, key) in values.enumerated() {
            let value = bytes.slice(key.text.lowerBound, to: key.text.upperBound)
            let (hash, start) = (scratch.hashes[number], scratch.positions[number])
            let found = confirm(start, hash: hash, value: value, app: key.app)
            if found >= 0 { unsafe sum &+= Int(slots[found].widget) }
        }
        return sum
    }

    @inline(__always)
    private func hash(_ value: ByteView, app: AppID) -> UInt64 {
        stableHash(value, seed: seed ^ UInt64(app.rawValue))
    }

    /// Returns the first slot with the fingerprint of a hash, from the hash's own slot or from
    /// `start` on; -1 if there is none.
    @inline(__always)
    private func candidate(_ hash: UInt64, from start: Int? = nil) -> Int {
        let fingerprint = UInt32(truncatingIfNeeded: hash >> 32)
        var position = start ?? Int(truncatingIfNeeded: hash) & mask
        while unsafe slots[position].widget != Self.none {
            if unsafe slots[position].fingerprint == fingerprint { return position }
            position = (position + 1) & mask
        }
        return -1
    }

    /// Returns the slot that has the value, from a candidate on; -1 if there is none.
    @inline(__always)
    private func confirm(
        _ start: Int,
        hash: UInt64,
        value: ByteView,
        app: AppID
    ) -> Int {
        var position = start
        while position >= 0 {
            let keyRange = unsafe slots[position].keyRange
            let key = unsafe keys + Int(keyRange >> 16)
            let isOfApp = unsafe key.loadUnaligned(as: AppID.self) == app
            let text = unsafe ByteView(base: key + 2, count: Int(keyRange & 0xffff))
            if isOfApp && text == value { return position }
            position = candidate(hash, from: (position + 1) & mask)
        }
        return -1
    }

    // MARK: - Making

    private mutating func insert(_ value: ByteView, app: AppID, widget: UInt32) {
        precondition(value.count <= 0xffff, "a value is too long for its slot")
        assert(widget != Self.none, "a widget has the number that marks a free slot")
        let hash = hash(value, app: app)
        if confirm(candidate(hash), hash: hash, value: value, app: app) >= 0 { return }
        var position = Int(truncatingIfNeeded: hash) & mask
        while unsafe slots[position].widget != Self.none { position = (position + 1) & mask }
        unsafe slots[position] = Slot(
            fingerprint: UInt32(truncatingIfNeeded: hash >> 32),
            widget: widget,
            keyRange: UInt64(keyCount) << 16 | UInt64(value.count)
        )
        reserve(2 + value.count)
        unsafe keys.storeBytes(of: app, toByteOffset: keyCount, as: AppID.self)
        unsafe value.copy(to: keys + keyCount + 2)
        keyCount += 2 + value.count
    }

    private mutating func reserve(_ count: Int) {
        if keyCount + count <= keyCapacity { return }
        while keyCapacity < keyCount + count { keyCapacity *= 2 }
        let larger = UnsafeMutableRawPointer.allocate(byteCount: keyCapacity, alignment: 64)
        unsafe larger.copyMemory(from: keys, byteCount: keyCount)
        unsafe keys.deallocate()
        unsafe keys = larger
    }
}
