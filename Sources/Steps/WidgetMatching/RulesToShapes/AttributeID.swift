internal import Basics

/// The number of an attribute, which is the path of a field in the payloads of one app. It is
/// reused once the attribute is removed. The highest numbers are no attributes, but the *roots* of
/// apps: parents of their top-level attributes, and of their kinds.
struct AttributeID: SlotNumber {
    let rawValue: UInt32

    // MARK: - Roots

    /// The parent of an app's top-level attributes; not itself an attribute.
    @inline(__always)
    static func root(_ app: AppID) -> AttributeID {
        AttributeID(rawValue: 0xc000_0000 | UInt32(app.rawValue))
    }

    /// The parent of an app's kinds.
    @inline(__always)
    static func kindRoot(_ app: AppID) -> AttributeID {
        AttributeID(rawValue: 0x8000_0000 | UInt32(app.rawValue))
    }

    /// Whether the number is that of a root rather than of an attribute.
    @inline(__always)
    var isRoot: Bool { rawValue >= 0x8000_0000 }

    /// The index of the attribute in tables beside the vocabulary.
    @inline(__always)
    var index: Int {
        assert(!isRoot, "a root is no attribute")
        return Int(rawValue)
    }

    /// The number of the app of a root.
    @inline(__always)
    var appNumber: Int {
        assert(isRoot && self != .none, "attribute \(rawValue) is no root")
        return Int(rawValue & 0xffff)
    }
}
