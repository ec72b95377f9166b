internal import Basics

/// The last values that a widget had at its kind's fields: a view of a block in the arena of
/// `WidgetFields`.
///
///     header: 16 bytes
///     [ hash: 64 bits, for each observed field | length: 16 bits, for each inlined one | texts … ]
///     [ key | order ] [ key | order | known | hash …, for each other key ]
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
        @usableFromInline var generation: ListGeneration
        /// The size of the block, in bytes.
        var byteCount: UInt16 = 0
        /// The size of the JSON object with the inlined values, as RELOAD has it, in bytes.
        @usableFromInline var objectByteCount: UInt16 = 2
        /// The fields whose hash is known.
        var known: FieldPositions = []
        /// The inlined fields whose text is known.
        @usableFromInline var inlined: FieldPositions = []
        var observed: FieldPositions
        /// The number of inlined fields.
        var inlinedCount: UInt8
        /// What else the block has: `nextPushIsChange`, `hasKey`, `hasOrder`, `otherKeyCount`.
        var flags: UInt8

        /// Makes the header of a block in which no value is known.
        init(_ kind: KindFields) {
            generation = kind.generation
            observed = kind.observed
            inlinedCount = kind.inlinedCount
            flags = (kind.keyCount > 0 ? Self.keyFlag : 0) | (kind.hasNewest ? Self.orderFlag : 0)
        }
    }

    /// The length of each inlined field's text, by position.
    typealias Lengths = SIMD16<UInt16>

    /// The size of the header, in bytes.
    static var headerByteCount: Int { 16 }

    let base: UnsafeMutableRawPointer
    let observed: FieldPositions
    /// The number of inlined fields.
    let inlinedCount: Int

    /// Makes the view of a block that has the layout of a kind's present list.
    @inline(__always)
    init(_ base: UnsafeMutableRawPointer, kind: KindFields) {
        unsafe self.base = unsafe base
        unsafe observed = kind.observed
        unsafe inlinedCount = Int(kind.inlinedCount)
    }

    /// Makes the view of an existing block from its own header.
    init(_ base: UnsafeMutableRawPointer) {
        let header = unsafe base.load(as: Header.self)
        unsafe self.base = unsafe base
        unsafe observed = header.observed
        unsafe inlinedCount = Int(header.inlinedCount)
    }

    /// The size of a block for texts of these lengths.
    static func byteCount(_ kind: KindFields, lengths: Lengths, otherKeyCount: Int) -> Int {
        var header = Header(kind)
        header.otherKeyCount = otherKeyCount
        return unsafe byteCount(header, lengths: lengths)
    }

    /// The size of a block with the fields of a header, for texts of these lengths.
    static func byteCount(_ header: Header, lengths: Lengths) -> Int {
        unsafe headerByteCount + header.observed.count * 8 + Int(header.inlinedCount) * 2
            + Int(lengths.wrappedSum()) + header.keysByteCount
    }

    @inline(__always)
    var header: Header {
        get { unsafe base.load(as: Header.self) }
        nonmutating set { unsafe base.storeBytes(of: newValue, as: Header.self) }
    }

    /// The hash of the last value of an observed field; undefined unless it is in `known`.
    @inline(__always)
    subscript(hashAt position: Int) -> UInt64 {
        get { unsafe base.loadUnaligned(fromByteOffset: offset(hashAt: position), as: UInt64.self) }
        nonmutating set {
            unsafe base.storeBytes(
                of: newValue,
                toByteOffset: offset(hashAt: position),
                as: UInt64.self
            )
        }
    }

    /// The offset in the block of the hash of an observed field.
    @inline(__always)
    private func offset(hashAt index: Int) -> Int {
        unsafe assert(observed[index], "position \(index) is not observed")
        return unsafe Self.headerByteCount + observed.count(before: index) * 8
    }

    /// The offset in the block at which the lengths of the texts begin.
    @inline(__always)
    private var lengthsOffset: Int { unsafe Self.headerByteCount + observed.count * 8 }

    /// Where the texts begin.
    @inline(__always)
    var texts: UnsafeMutableRawPointer { unsafe base + lengthsOffset + inlinedCount * 2 }

    /// The length of an inlined field's text; 0 if it is not known.
    @inline(__always)
    subscript(lengthAt index: Int) -> UInt16 {
        get {
            unsafe assert(index >= 0 && index < inlinedCount, "position \(index) is not inlined")
            return unsafe base.load(fromByteOffset: lengthsOffset + index * 2, as: UInt16.self)
        }
        nonmutating set {
            unsafe base.storeBytes(
                of: newValue,
                toByteOffset: lengthsOffset + index * 2,
                as: UInt16.self
            )
        }
    }

    /// The lengths of all inlined texts, by position.
    var lengths: Lengths {
        get {
            var lengths = Lengths()
            for position in unsafe 0..<inlinedCount {
                lengths[position] = unsafe self[lengthAt: position]
            }
            return lengths
        }
        nonmutating set {
            for position in unsafe 0..<inlinedCount {
                unsafe self[lengthAt: position] = newValue[position]
            }
        }
    }

    /// Copies the hashes of a block of the same generation.
    func copyHashes(of other: FieldBlock) {
        unsafe assert(other.observed == observed, "the blocks differ in layout")
        unsafe (base + Self.headerByteCount).copyMemory(
            from: other.base + Self.headerByteCount,
            byteCount: observed.count * 8
        )
    }

    /// Copies from a block of the same generation the texts whose length is the same in this block.
    func copyTexts(of other: FieldBlock, lengths: Lengths) {
        unsafe assert(other.inlinedCount == inlinedCount, "the blocks differ in layout")
        let others = unsafe other.lengths
        var source = unsafe other.texts
        var destination = unsafe texts
        for position in unsafe 0..<inlinedCount {
            if lengths[position] == others[position] {
                unsafe destination.copyMemory(from: source, byteCount: Int(lengths[position]))
            }
            unsafe source += Int(others[position])
            unsafe destination += Int(lengths[position])
        }
    }
}
