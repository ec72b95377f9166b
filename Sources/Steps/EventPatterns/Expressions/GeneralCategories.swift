/// A set of Unicode's general categories, for `\p{…}` in regular expressions.
struct GeneralCategories: OptionSet, BitwiseCopyable, Sendable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The categories of a name of one or two letters, such as L or Lu; nil if the name is unknown.
    ///
    /// RFC 9485 omits Cs, because surrogates are not scalars.
    init?(name: String) {
        let indices = Self.names.indices.filter { Self.names[$0].hasPrefix(name) }
        if name.isEmpty || name.utf8.count > 2 || indices.isEmpty { return nil }
        self.init(rawValue: indices.reduce(0) { $0 | 1 << UInt32($1) })
    }

    /// The category of a scalar; the empty set for a surrogate.
    init(of scalar: UInt32) {
        guard let scalar = Unicode.Scalar(scalar) else {
            self.init(rawValue: 0)
            return
        }
        self.init(rawValue: 1 << Self.index(of: scalar.properties.generalCategory))
    }

    static let all = GeneralCategories(rawValue: 1 << UInt32(names.count) - 1)

    /// The scalars 0–63 and 64–127 that have one of the categories, one bit each.
    var ascii: (low: UInt64, high: UInt64) {
        var found: (low: UInt64, high: UInt64) = (0, 0)
        for index in Self.ascii.indices where rawValue >> UInt32(index) & 1 != 0 {
            found.low |= Self.ascii[index].low
            found.high |= Self.ascii[index].high
        }
        return found
    }

    /// The same of each category, by the number of its bit: to ask for each scalar takes
    /// microseconds.
    private static let ascii: [(low: UInt64, high: UInt64)] = names.indices.map { index in
        let wanted = GeneralCategories(rawValue: 1 << UInt32(index))
        var found: (low: UInt64, high: UInt64) = (0, 0)
        for scalar in UInt32(0)..<64 {
            if GeneralCategories(of: scalar) == wanted { found.low |= 1 << UInt64(scalar) }
            if GeneralCategories(of: scalar + 64) == wanted { found.high |= 1 << UInt64(scalar) }
        }
        return found
    }

    /// The names of the categories, by the number of their bit in the raw value.
    private static let names = [
        "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe",
        "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn",
    ]

    /// The index of a category in `names`.
    private static func index(of category: Unicode.GeneralCategory) -> UInt32 {
        switch category {
        case .uppercaseLetter: 0
        case .lowercaseLetter: 1
        case .titlecaseLetter: 2
        case .modifierLetter: 3
        case .otherLetter: 4
        case .nonspacingMark: 5
        case .spacingMark: 6
        case .enclosingMark: 7
        case .decimalNumber: 8
        case .letterNumber: 9
        case .otherNumber: 10
        case .connectorPunctuation: 11
        case .dashPunctuation: 12
        case .openPunctuation: 13
        case .closePunctuation: 14
        case .initialPunctuation: 15
        case .finalPunctuation: 16
        case .otherPunctuation: 17
        case .mathSymbol: 18
        case .currencySymbol: 19
        case .modifierSymbol: 20
        case .otherSymbol: 21
        case .spaceSeparator: 22
        case .lineSeparator: 23
        case .paragraphSeparator: 24
        case .control: 25
        case .format: 26
        case .privateUse: 27
        case .surrogate, .unassigned: 28
        @unknown default: 28
        }
    }
}
