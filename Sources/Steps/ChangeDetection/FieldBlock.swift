internal import DataStructures

/// What a widget had at its kind's fields: a block of an arena, seen through its address.
///
///     header: 16 bytes
///     [ hash: 64 bits, for each shown field | length: 16 bits, for each carried one | texts … ]
///
/// The order is that of the kind's list. A length of 0 means that the value is not known: no JSON
/// text is empty.
@unsafe @usableFromInline
struct FieldBlock {
    @usableFromInline
    struct Header: BitwiseCopyable {
        /// Of the kind when the block was made: the layout is that of its list then.
        @usableFromInline var generation: UInt32
        var byteCount: UInt16
        /// Of the object that RELOAD brings.
        @usableFromInline var objectByteCount: UInt16
        /// The places whose hash is known.
        var known: UInt16
        /// The places whose text is known.
        @usableFromInline var carried: UInt16
        /// The places that are shown.
        var shown: UInt16
        var carriedCount: UInt8
        /// Whether the next push is a change, whatever it brings.
        var owesChange = false

        /// Of a block in which nothing is known yet.
        init(_ kind: KindFields) {
            generation = kind.generation
            shown = kind.shown
            carriedCount = kind.carriedCount
            byteCount = 0
            objectByteCount = 2
            known = 0
            carried = 0
        }
    }

    /// The lengths of the texts, by place.
    typealias Lengths = SIMD16<UInt16>

    static var headerByteCount: Int { 16 }

    let base: UnsafeMutableRawPointer
    let shown: UInt16
    let carriedCount: Int

    @inline(__always)
    init(_ base: UnsafeMutableRawPointer, _ kind: KindFields) {
        unsafe self.base = unsafe base
        unsafe shown = kind.shown
        unsafe carriedCount = Int(kind.carriedCount)
    }

    /// A block that is there: what it has says its own header.
    init(_ base: UnsafeMutableRawPointer) {
        let header = unsafe base.load(as: Header.self)
        unsafe self.base = unsafe base
        unsafe shown = header.shown
        unsafe carriedCount = Int(header.carriedCount)
    }

    static func byteCount(_ kind: KindFields, _ lengths: Lengths) -> Int {
        unsafe headerByteCount + kind.shown.nonzeroBitCount * 8 + Int(kind.carriedCount) * 2
            + Int(lengths.wrappedSum())
    }

    @inline(__always)
    var header: Header {
        get { unsafe base.load(as: Header.self) }
        nonmutating set { unsafe base.storeBytes(of: newValue, as: Header.self) }
    }

    /// The hash of a shown field's last value; of meaning if the place is known.
    @inline(__always)
    subscript(hashAt place: Int) -> UInt64 {
        get { unsafe base.loadUnaligned(fromByteOffset: offset(hashAt: place), as: UInt64.self) }
        nonmutating set {
            unsafe base.storeBytes(
                of: newValue,
                toByteOffset: offset(hashAt: place),
                as: UInt64.self
            )
        }
    }

    @inline(__always)
    private func offset(hashAt place: Int) -> Int {
        unsafe Self.headerByteCount
            + (shown & (1 << UInt16(place) &- 1)).nonzeroBitCount * 8
    }

    @inline(__always)
    private var lengthsOffset: Int { unsafe Self.headerByteCount + shown.nonzeroBitCount * 8 }

    /// Where the texts begin.
    @inline(__always)
    var texts: UnsafeMutableRawPointer { unsafe base + lengthsOffset + carriedCount * 2 }

    @inline(__always)
    subscript(lengthAt place: Int) -> UInt16 {
        get { unsafe base.load(fromByteOffset: lengthsOffset + place * 2, as: UInt16.self) }
        nonmutating set {
            unsafe base.storeBytes(
                of: newValue,
                toByteOffset: lengthsOffset + place * 2,
                as: UInt16.self
            )
        }
    }

    var lengths: Lengths {
        get {
            var lengths = Lengths()
            for place in unsafe 0..<carriedCount { lengths[place] = unsafe self[lengthAt: place] }
            return lengths
        }
        nonmutating set {
            for place in unsafe 0..<carriedCount { unsafe self[lengthAt: place] = newValue[place] }
        }
    }

    /// Takes over the hashes of a block of the same generation.
    func copyHashes(of other: FieldBlock) {
        unsafe (base + Self.headerByteCount).copyMemory(
            from: other.base + Self.headerByteCount,
            byteCount: shown.nonzeroBitCount * 8
        )
    }

    /// Takes over those texts of a block of the same generation that have the same length here.
    func copyTexts(of other: FieldBlock, _ lengths: Lengths) {
        let others = unsafe other.lengths
        var source = unsafe other.texts
        var destination = unsafe texts
        for place in unsafe 0..<carriedCount {
            if lengths[place] == others[place] {
                unsafe destination.copyMemory(from: source, byteCount: Int(lengths[place]))
            }
            unsafe source += Int(others[place])
            unsafe destination += Int(lengths[place])
        }
    }
}
