internal import Basics

/// The subject of a burst, which decides its kinds, the widgets' configurations and the payloads.
struct BurstDomain: Sendable {
    /// The part of the app's name that states the subject.
    let name: String
    /// The name of the widgets' parameter, and of the member of payloads that rules compare with
    /// it.
    let parameter: String
    /// The kind whose widgets are configured with one key; see `BurstOptions.keys`.
    let singleKind: String
    /// The kind whose widgets are configured with a list of keys.
    let listKind: String
    let keyPrefix: String
    /// Draws the members of a payload that follow its key.
    let members: @Sendable (inout SplitMix64) -> String

    static let game = BurstDomain(
        name: "game",
        parameter: "character",
        singleKind: "character-detail",
        listKind: "party",
        keyPrefix: "c-"
    ) { random in
        #""event":"damage","hp":\#(random.below(100)),"level":\#(1 + random.below(60))"#
    }

    static let news = BurstDomain(
        name: "news",
        parameter: "topic",
        singleKind: "topic",
        listKind: "headlines",
        keyPrefix: "topic-"
    ) { random in
        #""story":"s-\#(padded(random.below(1_000_000), to: 6))","#
            + #""headline":"What is known so far, part \#(1 + random.below(99))""#
    }

    static let sport = BurstDomain(
        name: "sport",
        parameter: "team",
        singleKind: "team-score",
        listKind: "group-table",
        keyPrefix: "t-"
    ) { random in
        #""event":"score","minute":\#(1 + random.below(95)),"#
            + #""home":\#(random.below(6)),"away":\#(random.below(6))"#
    }

    static let stocks = BurstDomain(
        name: "stocks",
        parameter: "symbol",
        singleKind: "quote",
        listKind: "watchlist",
        keyPrefix: "S"
    ) { random in
        #""price":\#(1 + random.below(900)).\#(padded(random.below(100), to: 2)),"#
            + #""volume":\#(100 * (1 + random.below(500)))"#
    }

    // MARK: - JSON

    /// An app as an object of the app file, with open roles.
    func app(_ number: Int, hasBudgets: Bool) -> String {
        let kinds = [singleKind, listKind].map { kind in
            #"{"kind":"\#(kind)","match":{"\#(parameter)":["${configuration.\#(parameter)}"]}"#
                + (hasBudgets ? "}" : #","budget":"unlimited"}"#)
        }
        return #"{"app":"\#(name(ofApp: number))","publishers":"open","devices":"open","#
            + #""gateways":"open","kinds":[\#(kinds.joined(separator: ","))]}"#
    }

    func name(ofApp number: Int) -> String {
        "com.burst.\(name)" + (number > 0 ? "-\(padded(number, to: 5))" : "")
    }

    /// One widget of a WIDGETS body, with one key in its configuration or a list of keys.
    func widget(_ number: Int, keys: [Int]) -> String {
        assert(!keys.isEmpty, "the widget would have no configuration")
        let isSingle = keys.count == 1
        let values = keys.map(key).joined(separator: ",")
        return #"{"id":"w\#(number)","kind":"\#(isSingle ? singleKind : listKind)","#
            + #""family":"\#(isSingle ? "systemSmall" : "systemMedium")","#
            + #""configuration":{"\#(parameter)":\#(isSingle ? values : "[\(values)]")}}"#
    }

    private func key(_ number: Int) -> String { "\"\(keyPrefix)\(padded(number, to: 4))\"" }

    /// The payload of a push about a key.
    func payload(about number: Int, using random: inout SplitMix64) -> String {
        "{\"\(parameter)\":\(key(number)),\(members(&random))}"
    }
}
