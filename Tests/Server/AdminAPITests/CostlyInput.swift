import TestSupport

/// An input that a search makes more and more costly: numbers that can be changed one at a time,
/// and what they stand for.
struct CostlyInput: CustomStringConvertible {
    /// What a stranger, a device, a publisher or an operator sends.
    enum Kind: CaseIterable {
        case request, token, appFile, widgets, slots, regexp
    }

    let kind: Kind
    /// How many there are of everything, from parts of the whole to parts of parts.
    private(set) var counts: [Int]
    /// How long names and values are.
    private(set) var length: Int
    /// Which of some texts names and values are made of.
    private(set) var style: Int

    /// The longest input of a kind that is accepted, or nearly.
    private var most: Int {
        switch kind {
        case .request: 16_000
        case .token: 3_400
        case .appFile: 200_000
        case .widgets: 65_000
        case .slots: 65_000
        case .regexp: 1_024
        }
    }

    init(_ kind: Kind, _ random: inout SeededGenerator) {
        self.kind = kind
        counts = (0..<4).map { _ in 1 + random.below(8) }
        length = 1 + random.below(8)
        style = random.below(64)
    }

    /// Another one, which differs in one or a few places.
    func mutated(_ random: inout SeededGenerator) -> CostlyInput {
        var other = self
        for _ in 0...random.below(3) {
            let part = random.below(6)
            switch part {
            case 0..<4: other.counts[part] = Self.scaled(counts[part], &random)
            case 4: other.length = Self.scaled(length, &random)
            default: other.style = random.below(64)
            }
        }
        return other
    }

    private static func scaled(_ value: Int, _ random: inout SeededGenerator) -> Int {
        max(1, min(20_000, value * random.pick([1, 2, 3, 5, 8, 16, 40]) / 4 + random.below(2)))
    }

    var description: String { "\(kind) \(counts) of \(length), style \(style)" }

    // MARK: - What it stands for

    /// The input.
    var text: String {
        switch kind {
        case .request: request
        case .token:
            // A token's parts before they are coded.
            object(counts[0] % 40, most: most / 5) + "|" + object(counts[1], most: most / 2)
        case .appFile: appFile
        case .widgets:
            list(#"{"widgets":["#, counts[0] % 257, "]}") {
                #"{"id":"w\#($0)","kind":"k","configuration":\#(self.object(self.counts[1], most: 16_000))}"#
            }
        case .slots:
            list(#"{"app":"a","kind":"k","dates":["#, counts[0], "]}") {
                #"{"id":"\#(self.name($0))","after":\#($0)}"#
            }
        case .regexp: String(regexp.prefix(most))
        }
    }

    /// A name of `length` or more characters, each time another one.
    private func name(_ number: Int) -> String {
        let unit = ["a", "ab", "%41", "é", "-", "a.b", "x\(number)", "0"][style % 8]
        return String(repeating: unit, count: min(length, 400)) + "\(number)"
    }

    /// A value of JSON.
    private func value(_ number: Int) -> String {
        switch style / 8 % 8 {
        case 0: return "\"\(name(number))\""
        case 1: return "\(number)"
        case 2: return "[" + (0..<min(counts[3], 500)).map { "\($0)" }.joined(separator: ",") + "]"
        case 3:
            let texts = (0..<min(counts[3], 500)).map { "\"\(name($0))\"" }
            return "[" + texts.joined(separator: ",") + "]"
        case 4: return "1e\(number % 300)"
        case 5: return "\"" + String(repeating: "\\u0061", count: min(length, 400)) + "\""
        case 6: return String(repeating: "[", count: 7) + String(repeating: "]", count: 7)
        default: return "true"
        }
    }

    private func object(_ count: Int, most: Int) -> String {
        list("{", count, "}", most: most) { #""\#(self.name($0))":\#(self.value($0))"# }
    }

    /// As many elements as there is room for.
    private func list(
        _ start: String,
        _ count: Int,
        _ end: String,
        separator: String = ",",
        most: Int? = nil,
        element: (Int) -> String
    ) -> String {
        var list = start
        for number in 0..<count {
            let next = element(number)
            if list.utf8.count + next.utf8.count + end.utf8.count + 1 > most ?? self.most { break }
            if number > 0 { list += separator }
            list += next
        }
        return list + end
    }

    private var request: String {
        let paths = ["/v1/apps/a/pushes", "/v1/apps/a/devices/d/widgets", "/v1/explain", "/"]
        let path =
            paths[style % 4] + list("", counts[0] - 1, "", separator: "/", most: 900, element: name)
        let query = list("?", counts[1], "", separator: "&", most: 1_100) {
            self.style < 32 ? "\(self.name($0))=\(self.name($0))" : "p=\(self.name($0))"
        }
        let headers = list("", counts[2] % 100, "", separator: "\r\n", most: 12_000) {
            "X-\($0): \(self.name($0))"
        }
        return "POST \(path)\(query) HTTP/1.1\r\nHost: h\r\n\(headers)\r\n\r\n"
    }

    private var appFile: String {
        list(#"{"apps":["#, counts[0] % 200, "]}") { app in
            let kinds = self.list(#""kinds":["#, self.counts[1] % 500, "]", most: self.most / 2) {
                kind in
                let rule = self.list("{", self.counts[2] % 200 + 1, "}", most: 8_000) {
                    #""\#(self.name($0))":[\#(self.test($0))]"#
                }
                return #"{"kind":"k\#(kind)","match":\#(rule)}"#
            }
            return #"{"app":"a\#(app)",\#(kinds)}"#
        }
    }

    private func test(_ number: Int) -> String {
        switch style / 8 % 8 {
        case 0: #""\#(name(number))""#
        case 1: #"{"wildcard":"*\#(name(number))*"}"#
        case 2: #"{"regexp":"\#(String(regexp.prefix(200)))"}"#
        case 3: #"{"numeric":[">",\#(number)]}"#
        case 4: #""${configuration.p\#(number)}""#
        case 5: #"{"anything-but":["\#(name(number))"]}"#
        case 6: #"{"prefix":{"equals-ignore-case":"\#(name(number))"}}"#
        default: #"{"exists":true}"#
        }
    }

    private var regexp: String {
        let atoms = [
            "a", "(a|b)", "[a-\(style % 26)z]", "\\\\p{L}", "(a{9}){9}", "[^x]", ".", "(a?){50}",
        ]
        return (0..<min(counts[0], 300)).map { number in
            number % 3 == 0
                ? atoms[style % 8] : "[\(Unicode.Scalar(UInt8(97 + number % 20)))é\(number % 10)]"
        }.joined()
    }
}
