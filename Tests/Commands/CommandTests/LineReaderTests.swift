import CommandSupport
import Foundation
import Testing

@Suite("A reader of lines")
struct LineReaderTests {
    /// Reads all lines of a file with these bytes.
    private func lines(_ bytes: [UInt8]) throws -> [LineReader.Line] {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("lines-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var reader = try LineReader(file.path)
        var lines: [LineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    @Test func `Lines end with a line feed, with or without a carriage return, or with the file`()
        throws
    {
        let found = try lines(Array("a\r\n\nb\rc\nd".utf8))
        #expect(found.map(\.number) == [1, 2, 3, 4])
        #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) } == ["a", "", "b\rc", "d"])
    }

    @Test func `A line may be as long as the limit, and no longer, wherever it ends`() throws {
        let longest = [UInt8](repeating: 0x61, count: LineReader.lineLimit)
        #expect(try lines(longest + [0x0a, 0x62]).map(\.bytes.count) == [longest.count, 1])
        for end in [[], [0x0a], [0x0a, 0x62]] as [[UInt8]] {
            #expect(throws: SettingsProblem.self) { try lines([0x0a] + longest + [0x61] + end) }
        }
    }
}
