internal import Basics
internal import StoreFormat

/// The subject of a burst, which decides its kinds, the widgets' configurations and the payloads.
enum BurstDomain {
    case game, news, sport, stocks

    /// The part of the app's name that states the subject.
    var name: StaticString {
        switch self {
        case .game: "game"
        case .news: "news"
        case .sport: "sport"
        case .stocks: "stocks"
        }
    }

    /// The name of the widgets' parameter, and of the member of payloads that rules compare with
    /// it.
    private var parameter: StaticString {
        switch self {
        case .game: "character"
        case .news: "topic"
        case .sport: "team"
        case .stocks: "symbol"
        }
    }

    /// The kind whose widgets are configured with one key, and the kind whose widgets are
    /// configured with a list of keys; see `BurstOptions.keys`.
    private var kinds: (single: StaticString, list: StaticString) {
        switch self {
        case .game: ("character-detail", "party")
        case .news: ("topic", "headlines")
        case .sport: ("team-score", "group-table")
        case .stocks: ("quote", "watchlist")
        }
    }

    // MARK: - The app file

    /// Writes an app as an object of the app file, with open roles.
    func writeApp(_ app: Int, hasBudgets: Bool, to text: inout StoreWriter) {
        text.put(text: "{\"app\":\"")
        writeName(ofApp: app, to: &text)
        text.put(
            text:
                "\",\"publishers\":\"open\",\"devices\":\"open\",\"gateways\":\"open\",\"kinds\":["
        )
        writeKind(kinds.single, hasBudgets: hasBudgets, to: &text)
        text.put(text: ",")
        writeKind(kinds.list, hasBudgets: hasBudgets, to: &text)
        text.put(text: "]}")
    }

    private func writeKind(
        _ kind: StaticString,
        hasBudgets: Bool,
        to text: inout StoreWriter
    ) {
        text.put(text: "{\"kind\":\"")
        text.put(text: kind)
        text.put(text: "\",\"match\":{\"")
        text.put(text: parameter)
        text.put(text: "\":[\"${configuration.")
        text.put(text: parameter)
        text.put(text: "}\"]}")
        if !hasBudgets { text.put(text: ",\"budget\":\"unlimited\"") }
        text.put(text: "}")
    }

    func writeName(ofApp app: Int, to text: inout StoreWriter) {
        text.put(text: "com.burst.")
        text.put(text: name)
        if app > 0 {
            text.put(text: "-")
            text.put(decimal: app, digits: 5)
        }
    }

    // MARK: - Widgets

    /// Writes one widget of a WIDGETS body.
    ///
    /// - Parameters:
    ///   - number: the widget's number on its device.
    ///   - keys: the keys in its configuration: one, or a list.
    ///   - text: the buffer to append to.
    func writeWidget(_ number: Int, keys: [Int], to text: inout StoreWriter) {
        assert(!keys.isEmpty, "the widget would have no configuration")
        text.put(text: "{\"id\":\"w")
        text.put(decimal: number)
        text.put(text: "\",\"kind\":\"")
        text.put(text: keys.count == 1 ? kinds.single : kinds.list)
        text.put(text: "\",\"family\":\"")
        text.put(text: keys.count == 1 ? "systemSmall" : "systemMedium")
        text.put(text: "\",\"configuration\":{\"")
        text.put(text: parameter)
        text.put(text: "\":")
        if keys.count > 1 { text.put(text: "[") }
        for index in keys.indices {
            if index > 0 { text.put(text: ",") }
            writeKey(keys[index], to: &text)
        }
        if keys.count > 1 { text.put(text: "]") }
        text.put(text: "}}")
    }

    private func writeKey(_ key: Int, to text: inout StoreWriter) {
        text.put(text: "\"")
        switch self {
        case .game: text.put(text: "c-")
        case .news: text.put(text: "topic-")
        case .sport: text.put(text: "t-")
        case .stocks: text.put(text: "S")
        }
        text.put(decimal: key, digits: 4)
        text.put(text: "\"")
    }

    // MARK: - Pushes

    /// Writes the payload of a push about a key.
    func writePayload(
        about key: Int,
        using random: inout SplitMix64,
        to text: inout StoreWriter
    ) {
        text.put(text: "{\"")
        text.put(text: parameter)
        text.put(text: "\":")
        writeKey(key, to: &text)
        switch self {
        case .game:
            text.put(text: ",\"event\":\"damage\",\"hp\":")
            text.put(decimal: random.below(100))
            text.put(text: ",\"level\":")
            text.put(decimal: 1 + random.below(60))
        case .news:
            text.put(text: ",\"story\":\"s-")
            text.put(decimal: random.below(1_000_000), digits: 6)
            text.put(text: "\",\"headline\":\"What is known so far, part ")
            text.put(decimal: 1 + random.below(99))
            text.put(text: "\"")
        case .sport:
            text.put(text: ",\"event\":\"score\",\"minute\":")
            text.put(decimal: 1 + random.below(95))
            text.put(text: ",\"home\":")
            text.put(decimal: random.below(6))
            text.put(text: ",\"away\":")
            text.put(decimal: random.below(6))
        case .stocks:
            text.put(text: ",\"price\":")
            text.put(decimal: 1 + random.below(900))
            text.put(text: ".")
            text.put(decimal: random.below(100), digits: 2)
            text.put(text: ",\"volume\":")
            text.put(decimal: 100 * (1 + random.below(500)))
        }
        text.put(text: "}")
    }
}

extension StoreWriter {
    mutating func put(text: StaticString) {
        unsafe put(raw: ByteView(base: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number in decimal, padded with zeros to `least` digits.
    mutating func put(decimal number: Int, digits least: Int = 1) {
        precondition(number >= 0, "numbers here have no sign")
        var scale = 1
        var count = 1
        while number / scale >= 10 || count < least {
            scale *= 10
            count += 1
        }
        while scale > 0 {
            put(0x30 + UInt8(number / scale % 10))
            scale /= 10
        }
    }
}
