/// IP addresses and blocks of them, as lists of bits.
enum ModelAddress {
    /// The 32 or 128 bits of an address; nil if the text is none.
    static func bits(of text: String) -> [Bool]? {
        (text.contains(":") ? groups(text) : octets(text)).map { numbers in
            let width = text.contains(":") ? 16 : 8
            return numbers.flatMap { number in
                (0..<width).map { number >> (width - 1 - $0) & 1 == 1 }
            }
        }
    }

    /// Whether an address lies in a block such as 10.0.0.0/8; false if either is none.
    static func isInside(_ address: String, _ block: String) -> Bool {
        guard let bits = bits(of: address), let block = prefix(of: block) else { return false }
        return bits.count == block.width && bits.starts(with: block.bits)
    }

    private static func prefix(of block: String) -> (bits: [Bool], width: Int)? {
        let parts = block.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let all = bits(of: parts[0]) else { return nil }
        guard let length = Int(parts[1]), "\(length)" == parts[1] else { return nil }
        guard (0...all.count).contains(length) else { return nil }
        return (Array(all.prefix(length)), all.count)
    }

    private static func octets(_ text: String) -> [Int]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part -> Int? in
            guard let number = Int(part), "\(number)" == part else { return nil }
            return (0...255).contains(number) ? number : nil
        }
        return parts.count == 4 && numbers.count == 4 ? numbers : nil
    }

    private static func groups(_ text: String) -> [Int]? {
        // What stands before and behind the one place where zeros are left out.
        var sides: [[Substring]] = [[]]
        var rest = Substring(text)
        if rest.hasPrefix("::") {
            sides.append([])
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let part = rest.prefix { $0 != ":" }
            if part.isEmpty { return nil }
            sides[sides.count - 1].append(part)
            rest = rest.dropFirst(part.count)
            if rest.hasPrefix("::") {
                sides.append([])
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix(":") {
                rest = rest.dropFirst()
                if rest.isEmpty { return nil }
            }
        }
        let isTail = !sides[sides.count - 1].isEmpty
        let numbers = sides.enumerated().map { number, side in
            values(side, mayEndInOctets: number == sides.count - 1 && isTail)
        }
        guard let first = numbers[0], let last = numbers[sides.count - 1] else { return nil }
        if sides.count == 1 { return first.count == 8 ? first : nil }
        let missing = 8 - first.count - last.count
        guard sides.count == 2, missing > 0 else { return nil }
        return first + Array(repeating: 0, count: missing) + last
    }

    private static func values(_ parts: [Substring], mayEndInOctets: Bool) -> [Int]? {
        var numbers: [Int] = []
        for (position, part) in parts.enumerated() {
            if mayEndInOctets && position == parts.count - 1 && part.contains(".") {
                guard let tail = octets(String(part)) else { return nil }
                numbers += [tail[0] << 8 | tail[1], tail[2] << 8 | tail[3]]
            } else {
                guard part.utf8.count <= 4, part.allSatisfy(\.isHexDigit) else { return nil }
                guard let number = Int(part, radix: 16) else { return nil }
                numbers.append(number)
            }
        }
        return numbers
    }
}
