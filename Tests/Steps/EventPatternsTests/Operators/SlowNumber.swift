import Basics

/// A decimal number as it is taught at school: digits in front of the point and behind it.
struct SlowNumber {
    let isNegative: Bool
    /// 1000 places in front of the point and 1500 behind it.
    let places: [UInt8]
    static let pointPlace = 1_000

    /// Takes a number in JSON's grammar, between 1e-1000 and 1e1000.
    init(_ text: String) {
        let parts = text.lowercased().split(separator: "e")
        let exponent = parts.count == 2 ? Int(parts[1])! : 0
        let unsigned = parts[0].drop { $0 == "-" }
        let whole = unsigned.prefix { $0 != "." }
        var places = [UInt8](repeating: 0, count: 2_500)
        var position = Self.pointPlace - whole.count - exponent
        for digit in unsigned.utf8 where digit != UInt8(ascii: ".") {
            if digit != UInt8(ascii: "0") { places[position] = digit - UInt8(ascii: "0") }
            position += 1
        }
        self.places = places
        isNegative = text.hasPrefix("-") && places.contains { $0 != 0 }
    }

    static func compare(_ a: SlowNumber, _ b: SlowNumber) -> Int {
        if a.isNegative != b.isNegative { return a.isNegative ? -1 : 1 }
        if a.places == b.places { return 0 }
        let isLess = a.places.lexicographicallyPrecedes(b.places)
        return isLess != a.isNegative ? -1 : 1
    }

    var significantDigits: Int {
        guard let first = places.firstIndex(where: { $0 != 0 }) else { return 0 }
        return places.lastIndex { $0 != 0 }! - first + 1
    }

    /// The canonical form of a number's text.
    static func canonical(_ text: String) -> [UInt8] {
        let buffer = UnsafeMutableRawPointer.allocate(
            byteCount: text.utf8.count + 16,
            alignment: 8
        )
        defer { buffer.deallocate() }
        let count = text.withByteView { CanonicalNumber.write($0, into: buffer) }
        return ByteView(base: buffer, count: count).array
    }
}
