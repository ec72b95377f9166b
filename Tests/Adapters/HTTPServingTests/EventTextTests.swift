import Testing

@testable import HTTPServing

@Suite("The text of an event, and bytes that wait")
struct EventTextTests {
    @Test(
        arguments: [
            (nil, "a", "data: a\n\n"), ("push", "{}", "event: push\ndata: {}\n\n"),
            (nil, "", "data: \n\n"), (nil, "a\nb", "data: a\ndata: b\n\n"),
            (nil, "a\r\nb\rc\n\nd\n", "data: a\ndata: b\ndata: c\ndata: \ndata: d\ndata: \n\n"),
            (nil, "a\r", "data: a\ndata: \n\n"), ("p\nq\r\n", "ü", "event: pq\ndata: ü\n\n"),
        ] as [(String?, String, String)]
    )
    func `An event has a line for each line of its data`(event: String?, data: String, text: String)
    {
        #expect(String(decoding: EventText.bytes(event: event, data: data), as: UTF8.self) == text)
    }

    @Test(arguments: 0..<8)
    func `Bytes are taken in the order in which they were added`(seed: UInt64) {
        var state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1
        func random(_ below: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(below))
        }
        var unsent = UnsentBytes()
        var (added, taken): ([UInt8], [UInt8]) = ([], [])
        for _ in 0..<500 {
            if random(2) == 0 {
                let more = (0..<random(10_000)).map { _ in UInt8(truncatingIfNeeded: random(256)) }
                unsent.append(more)
                added += more
            } else {
                var memory = [UInt8](repeating: 0, count: random(8_000))
                let moved = memory.withUnsafeMutableBytes { unsent.move(into: $0) }
                taken += memory[..<moved]
            }
            #expect(unsent.count == added.count - taken.count)
        }
        #expect(added.starts(with: taken))
    }
}
