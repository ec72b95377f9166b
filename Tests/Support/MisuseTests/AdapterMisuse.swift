import Basics
import StoreFormat
import Testing

@testable import CaptureFiles
@testable import HTTPMessages

@Suite("Misuse of Compressor and Decompressor")
struct CompressionMisuse {
    @Test("Misuse of Decompressor: a negative length is not decompressed to")
    func length() async {
        await #expect(processExitsWith: .trap) {
            var output = StoreWriter()
            _ = Decompressor().decompress(.empty, to: -1, into: &output)
        }
    }

    @Test(
        "Misuse of Compressor: whatever the level, no more is written than there is memory for",
        arguments: [Int(CInt.min), -7, 0, 100, Int(CInt.max)]
    )
    func level(level: Int) {
        let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }
        var output = StoreWriter()
        let compressor = Compressor(level: level)
        for count in [0, 1, bytes.count] {
            bytes.withByteView { view in
                let slice = view.slice(0, to: count)
                if !compressor.compress(slice, into: &output) { return }
                var restored = StoreWriter()
                let isWhole = Decompressor().decompress(output.bytes, to: count, into: &restored)
                #expect(isWhole && restored.bytes == slice)
            }
        }
    }

    @Test("Misuse of Compressor: no level is too large for the library's numbers")
    func largeLevel() async {
        await #expect(processExitsWith: .trap) { _ = Compressor(level: .max) }
    }
}

@Suite("Misuse of AnswerReader")
struct AnswerReaderMisuse {
    private func read(_ text: String, to reader: AnswerReader) throws {
        try Array(text.utf8).withByteView { try reader.read($0) }
    }

    @Test("it can be read to after an error, and reports the error again")
    func afterError() throws {
        for text in ["no answer\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ntoo long!"] {
            let reader = AnswerReader(bodyLimit: 5)
            #expect(throws: AnswerProblem.self) { try read(text, to: reader) }
            for more in ["", "x", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"] {
                #expect(throws: AnswerProblem.self) { try read(more, to: reader) }
            }
            #expect(reader.answer == nil)
        }
    }

    @Test("after its answer it ignores everything, also with a limit below nothing")
    func afterAnswer() throws {
        let reader = AnswerReader(bodyLimit: -1)
        try read("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx", to: reader)
        try read("x", to: reader)
        try read("", to: reader)
        #expect(reader.answer?.status == 204 && reader.answer?.body == [])
    }
}
