/// An IP address, read with splitting and lists.
enum SlowAddress {
    /// The octets of an address, 4 or 16; nil if the text is none.
    static func octets(_ text: String) -> [UInt8]? {
        text.contains(":") ? version6(text) : version4(text)
    }

    private static func version4(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count != 4 { return nil }
        var octets: [UInt8] = []
        for part in parts {
            // Only what the octet itself would be written like.
            guard let octet = UInt8(part), String(octet) == part else { return nil }
            octets.append(octet)
        }
        return octets
    }

    private static func version6(_ text: String) -> [UInt8]? {
        guard let skip = text.firstRange(of: "::") else {
            let octets = groups(text)
            return octets?.count == 16 ? octets : nil
        }
        let (head, tail) = (text[..<skip.lowerBound], text[skip.upperBound...])
        guard !head.contains("."), let front = head.isEmpty ? [] : groups(String(head)),
            let back = tail.isEmpty ? [] : groups(String(tail)), front.count + back.count <= 14
        else { return nil }
        return front + Array(repeating: 0, count: 16 - front.count - back.count) + back
    }

    private static func groups(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var octets: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard let tail = version4(String(part)) else { return nil }
                octets += tail
            } else {
                let isHex = part.allSatisfy { $0.isASCII && $0.isHexDigit }
                guard isHex, part.count <= 4, let group = UInt16(part, radix: 16) else {
                    return nil
                }
                octets += [UInt8(group >> 8), UInt8(truncatingIfNeeded: group)]
            }
        }
        return octets
    }
}
