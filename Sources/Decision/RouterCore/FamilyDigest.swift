internal import DataStructures
internal import StoreFormat

/// A family of widgets, such as `systemSmall`, in a byte: two may have the same digest, which may
/// then take one widget for an edited one of another size.
struct FamilyDigest: BitwiseCopyable, Hashable {
    /// No family was reported, or none is known: older stores have none.
    static var none: FamilyDigest { FamilyDigest(rawValue: 0) }

    let rawValue: UInt8

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(reading reader: inout StoreReader) throws(StoreError) {
        rawValue = try reader.read(UInt8.self)
    }

    /// The digest of a family's name. Stores have it, so that it stays the same.
    init(_ name: ByteView) {
        var sum: UInt32 = 0
        for index in 0..<name.count { sum = sum &* 31 &+ UInt32(name[index]) }
        rawValue = UInt8(sum % 255 + 1)
    }
}
