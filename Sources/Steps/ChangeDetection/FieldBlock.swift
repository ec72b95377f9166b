internal import DataStructures

/// The last values that a widget had at its kind's fields: a view of a block in the arena of
/// `WidgetFields`.
///
///     header: 16 bytes
///     [ hash: 64 bits, for each observed field | length: 16 bits, for each inlined one | texts … ]
///
/// Within each part, fields have the order of the kind's list. A length of 0 means that the value
/// is not known, because no JSON text is empty. The view is valid until the arena changes.
@unsafe @usableFromInline
struct FieldBlock {
    /// The first 16 bytes of a block: what it has, and under which list.
    @usableFromInline
    struct Header: BitwiseCopyable {
        /// The kind's generation when the block was made, which determines the list and so the
        /// layout.
        @usableFromInline var generation: UInt32
        /// Size of the block.
        var byteCount: UInt16
        /// Size of the JSON object with the inlined values, as RELOAD has it.
        @usableFromInline var objectByteCount: UInt16
        /// The fields whose hash is known, one bit for each position in the list.
        var known: UInt16
        /// The fields whose text is known, likewise.
        @usableFromInline var carried: UInt16
        /// The observed fields, likewise.
        var shown: UInt16
        /// The number of inlined fields.
        var carriedCount: UInt8
        /// Whether the next push counts as a change, whatever values it has.
        var owesChange = false

        /// Makes the header of a block in which no value is known.
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

    /// The length of each inlined field's text, by position.
    typealias Lengths = SIMD16<UInt16>

    static var headerByteCount: Int { 16 }

    let base: UnsafeMutableRawPointer
    /// The observed fields, one bit for each position in the list.
    let shown: UInt16
    /// The number of inlined fields.
    let carriedCount: Int

    /// Makes the view of a block that has the layout of a kind's present list.
    @inline(__always)
    init(_ base: UnsafeMutableRawPointer, _ kind: KindFields) {
        unsafe self.base = unsafe base
        unsafe shown = kind.shown
        unsafe carriedCount = Int(kind.carriedCount)
    }

    /// Makes the view of an existing block from its own header.
    init(_ base: UnsafeMutableRawPointer) {
        let header = unsafe base.load(as: Header.self)
        unsafe self.base = unsafe base
        unsafe shown = header.shown
        unsafe carriedCount = Int(header.carriedCount)
    }

    /// The size of a block for texts of these lengths.
    static func byteCount(_ kind: KindFields, _ lengths: Lengths) -> Int {
        unsafe headerByteCount + kind.shown.nonzeroBitCount * 8 + Int(kind.carriedCount) * 2
            + Int(lengths.wrappedSum())
    }

    @inline(__always)
    var header: Header {
        get { unsafe base.load(as: Header.self) }
        nonmutating set { unsafe base.storeBytes(of: newValue, as: Header.self) }
    }

    /// The hash of the last value of an observed field; undefined unless its bit in `known` is set.
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

    /// The length of an inlined field's text; 0 if it is not known.
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

    /// Copies the hashes of a block of the same generation.
    func copyHashes(of other: FieldBlock) {
        unsafe (base + Self.headerByteCount).copyMemory(
            from: other.base + Self.headerByteCount,
            byteCount: shown.nonzeroBitCount * 8
        )
    }

    /// Copies from a block of the same generation the texts whose length is the same in this block.
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
