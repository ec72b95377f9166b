import Basics
import Foundation
import TestSupport
import Testing
import WidgetTimelines

@testable import WidgetFleet

@Suite("Questions to the origin without an answer")
struct FetchTableTests {
    @Test func `Each has a number of its own, used again when it has its answer`() {
        var table = FetchTable()
        let first = table.open("/a", device: 1) { _ in }
        let second = table.open("/b", device: 2) { _ in }
        #expect(first != second)
        #expect(table[second]?.path == "/b" && table[second]?.device == 2)
        let closed = table.close(first)
        #expect(closed?.path == "/a" && table[first] == nil)
        let third = table.open("/c", device: 3) { _ in }
        #expect(third == first)
        #expect(table[first]?.path == "/c" && table[first]?.attempt == 1)
    }

    @Test func `One that is answered twice has one answer`() {
        var table = FetchTable()
        let number = table.open("/a", device: 0) { _ in }
        let answers = [table.close(number), table.close(number)]
        #expect(answers[0] != nil && answers[1] == nil)
        let pause = table.retry(number)
        #expect(pause == nil)
        // Its number is not given away twice.
        let next = (0..<2).map { table.open("/\($0)", device: 0) { _ in } }
        #expect(Set(next).count == 2)
    }

    @Test func `Each further attempt waits twice as long, and there are four`() {
        var table = FetchTable()
        let number = table.open("/a", device: 0) { _ in }
        let pauses = (0..<5).map { _ in table.retry(number) }
        #expect(pauses == [500, 1_000, 2_000, nil, nil])
        #expect(table[number]?.attempt == FetchTable.attempts)
    }
}
