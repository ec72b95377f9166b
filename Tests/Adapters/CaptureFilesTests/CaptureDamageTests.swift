import Basics
import CaptureFiles
import CaptureFormat
import Foundation
import StoreFormat
import TestSupport
import Testing

@Suite("Damaged captures")
struct CaptureDamageTests {
    private let folder: TemporaryFolder
    /// A file of three chunks, where each ends, and the lines of its records.
    private let bytes: [UInt8]
    private let ends: [Int]
    private let lines: [String]

    init() throws {
        folder = try TemporaryFolder()
        var ends: [Int] = []
        var options = CaptureWriterOptions()
        options.gatherInterval = 0
        options.chunkInterval = 0
        let writer = try CaptureWriter(
            path: folder.path("a"),
            options: options,
            recording: 9,
            startedAt: 5
        )
        let deadline = Date.now + 60
        for chunk in 0..<3 {
            var records = CaptureRecords()
            for number in 0..<4 {
                put(&records, RecordedTime(rawValue: UInt64(chunk)), 1, .push, "{\"n\":\(number)}")
            }
            _ = writer.submit(records)
            // The thread writes a chunk for each as soon as it has nothing else to do.
            while writer.statistics.chunks <= chunk { try #require(Date.now < deadline) }
            ends.append(CaptureHeader.byteCount + writer.statistics.storedBytes)
        }
        try writer.close()
        self.ends = ends
        bytes = try folder.bytes("a")
        lines = try CaptureFilesTests.read(CaptureReader(paths: [folder.path("a")]))
    }

    private func read(_ bytes: [UInt8]) throws -> (lines: [String], cutOffByteCount: Int) {
        try folder.write(bytes, "b")
        let reader = try CaptureReader(paths: [folder.path("b")])
        return (try CaptureFilesTests.read(reader), reader.cutOffByteCount)
    }

    @Test func `are read up to the last whole chunk, wherever they are cut off`() throws {
        #expect(ends.last == bytes.count && lines.count == 12)
        for count in CaptureHeader.byteCount..<bytes.count {
            let found = try read(Array(bytes[..<count]))
            let whole = ends.last { $0 <= count } ?? CaptureHeader.byteCount
            #expect(found.lines == Array(lines[..<(4 * ends.filter { $0 <= count }.count)]))
            #expect(found.cutOffByteCount == count - whole)
        }
        for count in 0..<CaptureHeader.byteCount {
            #expect(throws: CaptureError.self) { try read(Array(bytes[..<count])) }
        }
    }

    @Test func `are found wherever a bit is flipped`() throws {
        for offset in bytes.indices {
            for bit in 0..<8 {
                var broken = bytes
                broken[offset] ^= 1 << UInt8(bit)
                if offset >= ends[1] {
                    // Nothing whole follows: it may be where a writer was cut off.
                    let found = try read(broken)
                    #expect(found.lines == Array(lines[..<8]))
                    #expect(found.cutOffByteCount == bytes.count - ends[1])
                } else {
                    let error = #expect(throws: CaptureError.self) { try read(broken) }
                    let position = offset < 64 ? nil : offset < ends[0] ? 64 : ends[0]
                    if let position {
                        #expect(error?.code == .corrupt)
                        #expect(error?.message.contains("at byte \(position)") == true)
                    }
                }
            }
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `never give what was not written, whatever is done to them`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            var broken = bytes
            for _ in 0...random.below(3) {
                let position = random.below(broken.count)
                switch random.below(3) {
                case 0:
                    broken.removeSubrange(position..<min(broken.count, position + random.below(60)))
                case 1: broken.insert(contentsOf: random.bytes(random.below(60)), at: position)
                default: broken[position] = UInt8(random.below(256))
                }
            }
            let found = try? read(broken)
            let isBeginning = lines.starts(with: found?.lines ?? [])
            #expect(isBeginning, "seed \(seed)")
        }
    }

    @Test func `of other recordings are refused together`() throws {
        for (name, recording, number) in [("c", 9, 1), ("d", 8, 2), ("e", 9, 4)] {
            let file = try CaptureFile(
                path: folder.path(name),
                header: CaptureHeader(
                    recording: UInt64(recording),
                    number: UInt32(number),
                    startedAt: 5
                )
            )
            try file.close()
        }
        for (name, words) in [("c", "both the recording's file 1"), ("d", "different recordings")] {
            let error = #expect(throws: CaptureError.self) {
                try CaptureReader(paths: [folder.path("a"), folder.path(name)])
            }
            #expect(error?.code == .foreign && error?.message.contains(words) == true)
        }
        let reader = try CaptureReader(paths: [folder.path("e"), folder.path("a")])
        #expect(reader.missingNumbers == [2...3])
        #expect(try CaptureReader.recordings(of: ["a", "d", "e"].map(folder.path)).count == 2)
    }

    @Test func `with more records in a chunk than are read at most are refused`() throws {
        let reader = try CaptureReader(paths: [folder.path("a")], byteLimit: 16)
        let error = #expect(throws: CaptureError.self) { try CaptureFilesTests.read(reader) }
        #expect(error?.code == .corrupt)
    }

    @Test func `are no captures if they are something else`() throws {
        try folder.write(Array("{\"capture\":1}\n".utf8), "text")
        let error = #expect(throws: CaptureError.self) {
            try CaptureReader(paths: [folder.path("text")])
        }
        #expect(error?.code == .missing && error?.message.contains("text") == true)
        #expect(throws: CaptureError.self) { try CaptureReader(paths: [folder.path("nothing")]) }
    }

    @Test func `that are not read to the end leave no thread behind`() throws {
        for _ in 0..<50 {
            let reader = try CaptureReader(paths: [folder.path("a")])
            _ = try reader.nextChunk()
        }
    }
}
