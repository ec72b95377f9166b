import Foundation
import Testing

@testable import WidgetTimelines

@Suite("What a timeline takes in memory")
struct MemoryEstimateTests {
    private struct Entry: TimelineEntry {
        let date = Date()
        var text = ""
        var picture = Data()
        var samples: [Float] = []
        var names: [String] = []
        var nested: [[String: Int]]?
    }

    private func bytes(_ count: Int, _ entry: Entry) -> Int {
        MemoryEstimate.bytes(of: Array(repeating: entry, count: count))
    }

    @Test("is about the bytes that its entries have and refer to")
    func size() {
        let empty = bytes(1, Entry())
        #expect(empty < 200)
        let picture = bytes(1, Entry(picture: Data(count: 1 << 20))) - empty
        #expect((1 << 20...1 << 20 + 200).contains(picture))
        let samples = bytes(1, Entry(samples: Array(repeating: 0, count: 1_000))) - empty
        #expect((4_000...4_200).contains(samples))
        let long = String(repeating: "ä", count: 500)
        let names = bytes(1, Entry(text: long, names: Array(repeating: long, count: 100))) - empty
        #expect((100_000...110_000).contains(names))
    }

    @Test("counts all entries, though it looks at some")
    func entries() {
        let one = bytes(1, Entry(picture: Data(count: 10_000)))
        #expect(bytes(400, Entry(picture: Data(count: 10_000))) == 400 * one)
        #expect(bytes(0, Entry()) == 0)
    }

    @Test("ends where values refer to themselves")
    func cycle() {
        final class Node {
            var next: Node?
        }
        let node = Node()
        node.next = node
        #expect(MemoryEstimate.bytes(of: [node]) < 1_000)
        node.next = nil
    }
}
