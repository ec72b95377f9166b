import TestSupport
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
        let bytes = HTTPEvent(name: event, data: data).bytes
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test(arguments: 0..<8)
    func `Bytes are taken in the order in which they were added`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var unsent = UnsentBytes()
        var (added, taken): ([UInt8], [UInt8]) = ([], [])
        for _ in 0..<500 {
            if random.below(2) == 0 {
                let more = random.bytes(random.below(10_000))
                unsent.append(more)
                added += more
            } else {
                let most = random.below(8_000)
                let part = unsent.take(most)
                #expect(part.count == min(most, added.count - taken.count))
                taken += part
            }
            #expect(unsent.count == added.count - taken.count)
        }
        #expect(added.starts(with: taken))
    }
}
