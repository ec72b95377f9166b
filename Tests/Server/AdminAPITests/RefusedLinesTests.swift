import Basics
import Testing

@testable import AdminAPI

@Suite("Refused lines")
struct RefusedLinesTests {
    private func text(_ refused: RefusedLines) -> String {
        let body = PushesBody(
            accepted: 1,
            matched: 0,
            lastSeq: 1,
            refused: refused,
            outcome: PushesOutcome()
        )
        var json = JSONWriter()
        body.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func `The first 64 are named, and the others are counted`() {
        var refused = RefusedLines()
        var reasons = 0
        for line in 1...10_000 {
            refused.add(line) {
                reasons += 1
                return ("payload-not-json", "a reason")
            }
        }
        #expect(refused.named.map(\.line) == Array(1...64))
        #expect((refused.count, refused.unnamedCount, reasons) == (10_000, 9_936, 64))
        #expect(text(refused).contains(#"}],"moreRejected":9936,"#))
        #expect(text(refused).utf8.count < RefusedLines.namedLimit * RefusedLines.namedByteCount)
    }

    @Test func `Nothing is said of others where there are none`() {
        var refused = RefusedLines()
        for line in 1...64 { refused.add(line) { ("code", "detail") } }
        #expect(refused.unnamedCount == 0)
        #expect(!text(refused).contains("moreRejected"))
    }

    @Test func `The first ones are named in whichever order they are refused`() {
        var refused = RefusedLines()
        for line in (1...200).reversed() { refused.add(line) { ("code", "\(line)") } }
        #expect(refused.named.map(\.line) == Array(1...64))
        #expect(refused.named.map(\.detail) == (1...64).map { "\($0)" })
        #expect(refused.count == 200)
    }

    @Test func `It is known of each line whether it is refused`() {
        var refused = RefusedLines()
        let lines = [1, 63, 64, 65, 128, 9_999, 10_000]
        for line in lines.shuffled() { refused.add(line) { ("code", "detail") } }
        #expect((1...10_100).filter { refused.contains($0) } == lines)
    }

    @Test func `Those of an earlier request are counted also if they are not named`() {
        let one = PushesBody.Rejection(line: 3, code: "code", detail: "detail")
        var refused = RefusedLines(count: 5, named: [one])
        refused.add(8) { ("code", "detail") }
        #expect((refused.count, refused.unnamedCount) == (6, 4))
        #expect(refused.named.map(\.line) == [3, 8])
    }
}
