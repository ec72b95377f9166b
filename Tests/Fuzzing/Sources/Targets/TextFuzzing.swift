import Basics
import EventPatterns

/// Regular expressions, wildcards, addresses and foldings agree with slow models of them.
///
///     what is fuzzed: a character │ an expression │ end of line │ values, one a line
final class TextFuzzing: FuzzTarget {
    private var scratch = RegexScratch()

    func run(_ input: ByteView) {
        var input = FuzzInput(input)
        let operation = input.byte()
        let expression = input.line()
        // The parsers are given text that the JSON scanner has accepted.
        guard let text = String(validating: expression.array, as: UTF8.self) else { return }
        var values: [ByteView] = []
        while !input.isAtEnd && values.count < 4 {
            let value = input.line()
            if String(validating: value.array, as: UTF8.self) != nil { values.append(value) }
        }
        switch operation {
        case UInt8(ascii: "w"): checkWildcard(expression, values)
        case UInt8(ascii: "c"): checkBlock(expression, values)
        case UInt8(ascii: "f"): checkFolding(text, values)
        default: checkRegex(expression, text, values)
        }
    }

    // MARK: - Regular expressions

    private func checkRegex(_ expression: ByteView, _ text: String, _ values: [ByteView]) {
        let compiled: RegularExpression
        do throws(RegularExpressionError) {
            compiled = try expression.withCopyChecked {
                (text) throws(RegularExpressionError) in try RegularExpression(text)
            }
        } catch {
            require((0...expression.count).contains(error.offset), "an error at \(error.offset)")
            require(!error.reason.isEmpty, "an error without a reason")
            return
        }
        // The model tries every way: it is asked only what is small.
        let isSmall = compiled.instructionCount <= 200
        let model = isSmall ? ModelRegexpReader.read(text) : nil
        for value in values {
            let found = value.withCopy { compiled.matches($0, using: &scratch) }
            guard let model, value.count <= 40 else { continue }
            let expected = model.matches(value.string)
            require(found == expected, "\(text) on \(value.string): \(found)")
            if found {
                require(value.array.starts(with: compiled.literalPrefix), "not with its prefix")
            }
        }
    }

    // MARK: - Wildcards

    private func checkWildcard(_ pattern: ByteView, _ values: [ByteView]) {
        let problem = WildcardPattern.problem(pattern)
        require(WildcardPattern.isValid(pattern) == (problem == nil), "valid with a problem")
        if problem != nil { return }
        let model = SlowWildcard(pattern.array)
        for value in values where value.count <= 200 && pattern.count <= 200 {
            let found = value.withCopy { value in
                pattern.withCopy { WildcardPattern.matches($0, value: value) }
            }
            require(found == model.matches(value.array), "on \(value.string): \(found)")
        }
    }

    // MARK: - Addresses

    private func checkBlock(_ text: ByteView, _ values: [ByteView]) {
        let block = text.withCopy { AddressBlock($0) }
        for value in values {
            let address = value.withCopy { IPAddress($0) }
            let octets = SlowAddress.octets(value.string)
            require((address == nil) == (octets == nil), "\(value.string) is an address or not")
            guard let block, let address, let octets else { continue }
            let parts = text.string.split(separator: "/")
            guard parts.count == 2, let network = SlowAddress.octets(String(parts[0])),
                let length = Int(parts[1])
            else { fail("\(text.string) is no block") }
            let expected = network.count == octets.count && Self.isSame(network, octets, length)
            require(block.contains(address) == expected, "\(text.string) and \(value.string)")
        }
    }

    private static func isSame(_ one: [UInt8], _ other: [UInt8], _ bitCount: Int) -> Bool {
        (0..<bitCount).allSatisfy { bit in
            (one[bit / 8] ^ other[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
        }
    }

    // MARK: - Case folding

    private func checkFolding(_ text: String, _ values: [ByteView]) {
        guard let folded = Self.folded(text) else { return }
        text.withByteView { text in
            checkFold(text, folded)
            for value in values {
                guard let other = Self.folded(value.string) else { continue }
                require(
                    CaseFolding.equals(text, and: value) == (folded == other),
                    "equals \(value.string)"
                )
                require(
                    CaseFolding.hasPrefix(text, prefix: value) == folded.starts(with: other),
                    "has the prefix \(value.string)"
                )
                require(
                    CaseFolding.hasSuffix(text, suffix: value)
                        == folded.reversed().starts(with: other.reversed()),
                    "has the suffix \(value.string)"
                )
            }
        }
    }

    /// Folded by another way: the lower case of the upper case, where each is a single scalar.
    ///
    /// Nil if there are letters that came after Unicode 15, which the toolchain may know.
    private static func folded(_ text: String) -> [Unicode.Scalar]? {
        let scalars = text.unicodeScalars
        guard scalars.allSatisfy({ $0.properties.age?.major ?? 16 <= 15 }) else { return nil }
        return scalars.map { scalar in
            switch scalar.value {
            case 0x131, 0x13a0...0x13f5: scalar
            case 0x13f8...0x13fd: Unicode.Scalar(scalar.value - 8)!
            case 0xab70...0xabbf: Unicode.Scalar(scalar.value - 0xab70 + 0x13a0)!
            default: single(single(scalar, \.uppercaseMapping), \.lowercaseMapping)
            }
        }
    }

    private static func single(
        _ scalar: Unicode.Scalar,
        _ mapping: KeyPath<Unicode.Scalar.Properties, String>
    ) -> Unicode.Scalar {
        let mapped = scalar.properties[keyPath: mapping].unicodeScalars
        return mapped.count == 1 ? mapped.first! : scalar
    }

    private func checkFold(_ text: ByteView, _ folded: [Unicode.Scalar]) {
        let capacity = CaseFolding.capacity(text.count)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity + 1, alignment: 1)
        defer { memory.deallocate() }
        memory.storeBytes(of: 0x5a, toByteOffset: capacity, as: UInt8.self)
        let count = CaseFolding.fold(text, into: memory)
        require(count <= capacity, "\(count) bytes in place of \(capacity)")
        let guardByte = memory.load(fromByteOffset: capacity, as: UInt8.self)
        require(guardByte == 0x5a, "written behind the end")
        let written = ByteView(base: memory, count: count).string
        require(Array(written.unicodeScalars) == folded, "folded to \(written)")
    }
}
