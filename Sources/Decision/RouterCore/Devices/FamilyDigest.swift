internal import Basics
internal import StoreFormat

/// A family of widgets, such as `systemSmall`, in a byte: two may have the same digest, which may
/// then take one widget for an edited one of another size.
struct FamilyDigest: BitwiseCopyable, Hashable {
    /// No family was reported.
    static var none: FamilyDigest { FamilyDigest(rawValue: 0) }

    let rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(reading reader: inout StoreReader) throws(StoreError) {
        rawValue = try reader.read(UInt8.self)
    }

    /// A name that has this digest: that of a known family, or two characters that stand for it.
    var name: String { Self.names[Int(rawValue)] }

    /// A name for each digest; the empty one for none.
    private static let names: [String] = {
        var names = [String](repeating: "", count: 256)
        let characters = "abcdefghijklmnopqrstuvwxyz0123456789".map(String.init)
        let made = characters.flatMap { first in characters.map { first + $0 } }
        let known = [
            "accessoryCorner", "accessoryRectangular", "accessoryInline", "accessoryCircular",
            "systemExtraLarge", "systemLarge", "systemMedium", "systemSmall",
        ]
        for name in made + known {
            names[Int(Array(name.utf8).withByteView { FamilyDigest($0) }.rawValue)] = name
        }
        return names
    }()

    /// The digest of a family's name. Stores have it, so that it stays the same.
    init(_ name: ByteView) {
        var sum: UInt32 = 0
        for index in 0..<name.count { sum = sum &* 31 &+ UInt32(name[index]) }
        rawValue = UInt8(sum % 255 + 1)
    }
}
