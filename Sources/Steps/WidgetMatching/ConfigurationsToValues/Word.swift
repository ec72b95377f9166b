internal import Basics

/// One word of a key, of a list or of a layout. It does not say what it stands for: that depends on
/// the form of the key's space (`KeyForm`), or on the type of the value (`ValueTag`).
struct Word: BitwiseCopyable, Equatable {
    let bits: UInt32

    /// A word that is a number, or a part of one.
    @inline(__always)
    init(bits: UInt32) { self.bits = bits }

    /// A word that is an identifier.
    @inline(__always)
    init(_ number: some SlotNumber) { bits = number.rawValue }

    /// The word of a list, or of a key made of values.
    @inline(__always)
    var value: ValueID { ValueID(rawValue: bits) }

    /// The word of a layout.
    @inline(__always)
    var name: NameID { NameID(rawValue: bits) }

    /// The first word of a group's key.
    @inline(__always)
    var shape: ShapeID { ShapeID(rawValue: bits) }

    /// The link of a group to another one.
    @inline(__always)
    var key: KeyID { KeyID(rawValue: bits) }
}

/// The words of a key that is looked for or made; valid as long as the memory they are in.
typealias KeyWords = ElementView<Word>
