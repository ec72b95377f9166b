import Basics
import CommandSupport
import Testing

@testable import reload_router

@Suite("The statuses of top")
struct TopHistoryTests {
    @Test func `Two statuses make rates`() throws {
        let history = try TopCases.history("first", "second")
        let rates = try #require(history.rates)
        #expect(rates[.pushes] == 12_000)
        #expect(rates[.matched] == 24_000)
        #expect(rates[.reloads] == 3_000)
        #expect(rates[.ratio] == 2)
        #expect(rates.decisions["sent"] == 3_000)
        #expect(rates.counters["rejected"] == 0)
        #expect(rates.apps[0]["pushes"] == 12_000)
        #expect(rates.apps[1]["pushes"] == 0)
    }

    @Test func `One status, the same twice, and one of before a restart make none`() throws {
        #expect(try TopCases.history("first").rates == nil)
        #expect(try TopCases.history("first", "first").rates == nil)
        #expect(try TopCases.history("second", "first").rates == nil)
        #expect(try !TopCases.history("first").hasRates)
        #expect(try TopCases.history("second", "first", "second").hasRates)
        var history = TopHistory()
        for (at, uptime) in [(1_000, 1_000), (3_000, 10)] {
            let json = #"{"at":\#(at),"uptime":\#(uptime),"matched":\#(at)}"#
            history.add(try TopStatus(Array(json.utf8)))
        }
        #expect(!history.hasRates)
    }

    @Test func `A status that comes twice leaves the rates as they were`() throws {
        let history = try TopCases.history("first", "second", "second")
        #expect(history.rates?[.pushes] == 12_000)
        #expect(history.values(.pushes, last: 10) == [12_000])
    }

    @Test func `An app that is new has begun at zero, and a counter that fell has no rate`() throws
    {
        func status(_ at: Int, _ apps: String, _ pushes: Int) throws -> TopStatus {
            let json =
                #"{"at":\#(at),"uptime":\#(at),"pushes":{"accepted":\#(pushes)},"apps":[\#(apps)]}"#
            return try TopStatus(Array(json.utf8))
        }
        var history = TopHistory()
        history.add(try status(1_000, #"{"app":"a","pushes":5}"#, 9))
        history.add(try status(3_000, #"{"app":"b","pushes":8},{"app":"a","pushes":4}"#, 8))
        #expect(history.rates?.apps[0]["pushes"] == 4)
        #expect(history.rates?.apps[1]["pushes"] == nil)
        #expect(history.rates?[.pushes] == nil)
    }

    @Test func `The oldest samples make room`() throws {
        var history = TopHistory()
        for second in 0...(TopHistory.samplesLimit + 50) {
            let json = """
                {"at":\(1_000 * second),"uptime":\(1_000 * second),
                 "pushes":{"accepted":\(second * (second + 1) / 2)}}
                """
            history.add(try TopStatus(Array(json.utf8)))
        }
        let values = history.values(.pushes, last: 10_000)
        #expect(values.count == TopHistory.samplesLimit)
        #expect(values.first == 51)
        #expect(values.last == Double(TopHistory.samplesLimit + 50))
        #expect(history.values(.pushes, last: 2).count == 2)
        #expect(history.values(.pushes, last: -1).isEmpty)
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "{\"at\":1}", "{\"at\":\"now\",\"uptime\":1}", "{\"at\":1",
        "<html>", "\u{0}", "{\"at\":1,\"at\":1,\"uptime\":1}",
    ])
    func `What is no status is refused with a reason`(text: String) {
        let error = #expect(throws: SettingsProblem.self) { try TopStatus(Array(text.utf8)) }
        #expect("\(error!)".hasPrefix("the answer is not a status of a router: it "))
    }

    @Test(arguments: [
        #"{"at":1e300,"uptime":-1e300}"#, #"{"at":-5,"uptime":0.5}"#,
        #"{"at":9223372036854775807,"uptime":18446744073709551615}"#,
        #"{"at":1,"uptime":1,"apps":7,"origins":{},"hotKeys":[1,null,[]],"latency":[],"store":3}"#,
        #"{"at":1,"uptime":1,"apps":[{}],"origins":[{}],"hotKeys":[{}],"store":{},"version":9}"#,
        #"{"at":1,"uptime":1,"pushes":{"accepted":1e308,"rejected":{"a":1e308,"b":1e308}}}"#,
        #"{"at":1,"uptime":1,"latency":{"turn":{"count":-1,"p50":"x"}},"memory":{"":-1e99}}"#,
    ])
    func `A status of other values than expected is shown without them`(text: String) throws {
        var history = TopHistory()
        history.add(try TopStatus(Array(#"{"at":0,"uptime":0}"#.utf8)))
        history.add(try TopStatus(Array(text.utf8)))
        for (width, height) in [(80, 24), (12, 3), (200, 80)] {
            #expect(!TopScreen.lines(history, width: width, height: height).isEmpty)
        }
        #expect(TopText.block(history).hasSuffix("\n\n"))
    }

    @Test func `No change of a byte ends the program`() throws {
        let bytes = try TopCases.bytes("second.json")
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        let signs = Array("0123456789-eE.\",:{}[]".utf8)
        var accepted = 0
        for _ in 0..<3_000 {
            var changed = bytes
            for _ in 0...(random.next() % 3) {
                let position = Int(random.next() % UInt64(changed.count))
                switch random.next() % 3 {
                case 0: changed[position] = UInt8(truncatingIfNeeded: random.next())
                case 1: changed[position] = signs[Int(random.next() % UInt64(signs.count))]
                default: changed.remove(at: position)
                }
            }
            guard let status = try? TopStatus(changed) else { continue }
            accepted += 1
            var history = try TopCases.history("first")
            history.add(status)
            let lines = TopScreen.lines(history, width: 80, height: 60)
            #expect(lines.allSatisfy { DisplayText.width($0.text) <= 80 }, "seed \(seed)")
        }
        #expect(accepted > 300, "seed \(seed)")
    }

    @Test(arguments: [
        (#"{"detail":"no such app","status":404}"#, "no such app"), ("{}", nil), ("x", nil),
        (#"{"detail":7}"#, nil), (#"{"detail":"a\u001b[31m"}"#, "a\u{fffd}[31m"),
    ])
    func `The detail of a problem is found and made harmless`(text: String, detail: String?) {
        #expect(problemDetail(Array(text.utf8)) == detail)
    }
}

@Suite("Text for a terminal")
struct DisplayTextTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("ウィ", 4), ("漢", 2), ("🐉", 2), ("▁█", 2),
        ("µs – …", 6), ("❤\u{fe0f}", 2), ("👩‍👩‍👧", 2),
    ])
    func `A text is as wide as terminals show it`(text: String, width: Int) {
        #expect(DisplayText.width(text) == width)
    }

    @Test func `Cutting leaves a mark, and never half a character`() {
        #expect(DisplayText.cut("abcdef", to: 6) == "abcdef")
        #expect(DisplayText.cut("abcdef", to: 5) == "abcd…")
        #expect(DisplayText.cut("ウィジ", to: 4) == "ウ…")
        #expect(DisplayText.cut("abc", to: 1) == "…")
        #expect(DisplayText.cut("abc", to: 0) == "")
        #expect(DisplayText.fit("ab", to: 4) == "ab  ")
    }
}
