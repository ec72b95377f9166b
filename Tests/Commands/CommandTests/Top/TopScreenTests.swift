import Testing

@testable import reload_router

@Suite("The screen of top")
struct TopScreenTests {
    @Test(arguments: [(80, 24), (132, 50), (40, 10), (20, 4)])
    func `A saved status is laid out as it was saved`(width: Int, height: Int) throws {
        let history = try TopCases.history("first", "second", "third")
        let lines = TopScreen.lines(history, width: width, height: height, hint: "q quit")
        let text = lines.map { "\($0.style): \($0.text)\n" }.joined()
        #expect(try text == TopCases.saved("screen-\(width)x\(height).txt", text))
    }

    @Test func `No size makes a line too wide or one too many`() throws {
        let histories = [
            TopHistory(), try TopCases.history("first"),
            try TopCases.history("first", "second", "third"),
        ]
        for history in histories {
            for width in [-1, 0, 1, 2, 9, 20, 25, 26, 27, 40, 80, 200] {
                for height in Array(-1...30) + [60] {
                    let lines = TopScreen.lines(history, width: width, height: height, hint: "q")
                    #expect(lines.count <= max(0, height))
                    #expect(lines.isEmpty == (width <= 0 || height <= 0))
                    #expect(lines.allSatisfy { DisplayText.width($0.text) <= max(0, width) })
                }
            }
        }
    }

    @Test func `The last line is the hint's wherever there are two lines`() throws {
        let history = try TopCases.history("first", "second")
        for height in 2...60 {
            let lines = TopScreen.lines(history, width: 80, height: height, hint: "q quit")
            #expect(lines.count == height)
            #expect(lines.last == TopLine(text: "q quit", style: .faint))
        }
    }

    @Test func `Nothing of a name is obeyed by a terminal`() throws {
        let history = try TopCases.history("first", "second")
        let notice = "out of reach \u{1b}]0;title\u{7}\u{9b}31m\r\n"
        let lines = TopScreen.lines(history, width: 120, height: 60, notice: notice)
        let text = lines.map(\.text).joined()
        #expect(text.contains("com.\u{fffd}[31mred\u{fffd}"))
        #expect(text.contains("\u{fffd}]0;title"))
        for scalar in text.unicodeScalars {
            #expect(![.control, .format].contains(scalar.properties.generalCategory))
        }
    }

    @Test func `What an operator should know at once stands in the second line`() throws {
        func second(_ status: String, notice: String? = nil) throws -> TopLine {
            var history = TopHistory()
            history.add(try TopStatus(Array(status.utf8)))
            return TopScreen.lines(history, width: 80, height: 24, notice: notice)[1]
        }
        let unready = #"{"at":1,"uptime":1,"isReady":false,"reasons":["a","b"]}"#
        #expect(try second(unready).text == "not ready: a; b")
        #expect(try second(unready, notice: "gone").text == "gone")
        let failing = """
            {"at":1,"uptime":1,"isReady":true,"store":{"isFailing":true,"failingFor":4000}}
            """
        #expect(
            try second(failing)
                == TopLine(
                    text: "the store fails, for 4.00 s: nothing is acknowledged",
                    style: .warning
                )
        )
        let stopped = #"{"app":"com.a","environment":"production","cause":"credentials"}"#
        func apns(_ count: Int) -> String {
            #"{"at":1,"uptime":1,"isReady":true,"apns":{"stopped":\#(count),"#
                + #""stoppedLanes":[\#(count > 0 ? stopped : "")]}}"#
        }
        let sentence = "pushes by APNs are stopped: com.a (production): credentials"
        #expect(try second(apns(1)) == TopLine(text: sentence, style: .warning))
        #expect(try second(apns(3)).text == sentence + ", and 2 more")
        #expect(try second(apns(0)).style == .plain)
        let refused = """
            {"at":1,"uptime":1,"isReady":true,"files":[{"file":"operators","refusal":null},
            {"file":"apps","refusal":{"reason":"a.json: line 1","since":1}}]}
            """
        #expect(
            try second(refused)
                == TopLine(text: "refused at SIGHUP: apps: a.json: line 1", style: .warning)
        )
        let well = #"{"at":1,"uptime":1,"isReady":true}"#
        #expect(try second(well).style == .plain)
    }

    @Test func `Pushes by APNs have a line if the router has any`() throws {
        func line(at: Int, apns: String) throws -> String? {
            let text = #"{"at":\#(at),"uptime":\#(at),"isReady":true,"apns":\#(apns)}"#
            history.add(try TopStatus(Array(text.utf8)))
            let sections = TopSections(try #require(history.status), rates: history.rates)
            return sections.summary.first { $0.name == "APNs" }?.text
        }
        func apns(sent: Int) -> String {
            #"{"sent":\#(sent),"accepted":\#(sent / 2),"waiting":214,"underWay":96,"#
                + #""deadTokens":1013,"connections":4,"answer":{"count":600,"p99":14000},"#
                + #""stopped":0,"stoppedLanes":[]}"#
        }
        var history = TopHistory()
        let levels =
            "   waiting 214   under way 96   dead tokens 1,013   connections 4   answer p99 14.0 ms"
        #expect(try line(at: 1_000, apns: apns(sent: 0)) == "sent/s –   accepted/s –" + levels)
        let rates = try #require(try line(at: 2_000, apns: apns(sent: 600)))
        #expect(rates == "sent/s 600   accepted/s 300" + levels)
        #expect(try line(at: 3_000, apns: "null") == nil)
    }

    @Test func `Long lists share the room`() throws {
        let apps = (0..<50).map { #"{"app":"app-\#($0)","pushes":\#($0)}"# }
        let keys = (0..<50).map { #"{"app":"a","key":"key-\#($0)","pushes":1}"# }
        let status = """
            {"at":1,"uptime":1,"isReady":true,"apps":[\(apps.joined(separator: ","))],
             "hotKeys":[\(keys.joined(separator: ","))]}
            """
        var history = TopHistory()
        history.add(try TopStatus(Array(status.utf8)))
        let lines = TopScreen.lines(history, width: 80, height: 40).map(\.text)
        let shown = ["app-", "key-"].map { name in lines.count { $0.hasPrefix(name) } }
        #expect(abs(shown[0] - shown[1]) <= 1)
        #expect(shown[0] > 5)
        #expect(lines.count == 40)
    }

    @Test func `Plain text is as it was saved, and nothing without a status`() throws {
        #expect(TopText.block(TopHistory()).isEmpty)
        let text = TopText.block(try TopCases.history("first", "second"))
        #expect(try text == TopCases.saved("block.txt", text))
    }
}
