import Basics
import Testing

@Suite("A misspelled name")
struct SpellingTests {
    private static let commands = ["serve", "push", "device", "check", "explain", "producers"]

    @Test(
        "is near a name with few typing errors, of which an exchange of neighbours is one",
        arguments: [
            ("pusj", "push"), ("psuh", "push"), ("Push", "push"), ("devcie", "device"),
            ("explian", "explain"), ("serv", "serve"), ("chekc", "check"),
            ("prodcuer", "producers"),
        ]
    )
    func near(name: String, meant: String) {
        #expect(Spelling.nearest(to: name, among: Self.commands) == meant)
        #expect(Spelling.hint(for: name, among: Self.commands) == "; did you mean \(meant)?")
    }

    @Test("is near the only name that it begins")
    func beginning() {
        #expect(Spelling.nearest(to: "prod", among: Self.commands) == "producers")
        #expect(Spelling.nearest(to: "prod", among: Self.commands + ["production"]) == nil)
    }

    @Test("is near none that differs much", arguments: ["", "x", "xy", "top", "frobnicate", "pu"])
    func far(name: String) {
        #expect(Spelling.nearest(to: name, among: Self.commands) == nil)
        #expect(Spelling.hint(for: name, among: Self.commands) == "")
    }

    @Test("is near the nearest of several")
    func nearest() {
        #expect(
            Spelling.nearest(to: "widgets", among: ["widget-1", "widget", "wigets"])
                == "widget"
        )
        #expect(
            Spelling.hint(for: "mdoe", amongPhrase: "mode and window")
                == "; did you mean mode?"
        )
    }

    @Test("is near none beyond the limits of length and number")
    func limits() {
        let long = String(repeating: "a", count: Spelling.byteLimit)
        #expect(Spelling.nearest(to: long, among: [String(long.dropLast())]) != nil)
        #expect(Spelling.nearest(to: long + "a", among: [long]) == nil)
        let names = (0..<Spelling.nameLimit).map { "\($0)" }
        #expect(Spelling.nearest(to: "device", among: names + ["devices"]) == nil)
        #expect(Spelling.nearest(to: "device", among: names.dropLast() + ["devices"]) == "devices")
    }

    @Test("is as far as a slow table of all prefixes says")
    func agreesWithTable() {
        let words = [
            "", "a", "ab", "ba", "abc", "acb", "cab", "abcd", "badc", "xbcd", "abxcd",
            "xabcd", "abcdx", "baxdc", "aabb", "abab",
        ].map { Array($0.utf8) }
        for left in words {
            for right in words {
                let errors = Self.distance(left, to: right)
                for limit in 0...3 {
                    #expect(
                        Spelling.errors(left, to: right, atMost: limit)
                            == (errors <= limit ? errors : nil)
                    )
                }
            }
        }
    }

    /// The distance by its definition, by recursion.
    private static func distance(_ left: [UInt8], to right: [UInt8]) -> Int {
        guard let last = left.last, let other = right.last else { return left.count + right.count }
        let (shorter, shorterRight) = (left.dropLast(), right.dropLast())
        var best = min(
            distance(Array(shorter), to: right) + 1,
            distance(left, to: Array(shorterRight)) + 1,
            distance(Array(shorter), to: Array(shorterRight)) + (last == other ? 0 : 1)
        )
        if shorter.last == other, shorterRight.last == last {
            best = min(best, distance(Array(left.dropLast(2)), to: Array(right.dropLast(2))) + 1)
        }
        return best
    }
}
