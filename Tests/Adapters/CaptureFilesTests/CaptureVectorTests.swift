import Basics
import CaptureFiles
import CaptureFormat
import Foundation
import StoreFormat
import TestSupport
import Testing

@Suite("The golden captures")
struct CaptureVectorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The lines that a capture gives, and how much is cut off.
    private func lines(_ bytes: [UInt8]) throws -> (lines: [[UInt8]], cutOffByteCount: Int) {
        try folder.write(bytes, "capture")
        let reader = try CaptureReader(paths: [folder.path("capture")])
        var scanner = CaptureLine.scanner()
        var lines = [CaptureLine.text(of: reader.header)]
        try reader.each { record in
            lines.append(CaptureLine.text(of: record, using: &scanner))
            return true
        }
        return (lines, reader.cutOffByteCount)
    }

    @Test func `are read as they say, or refused with their code`() throws {
        let vectors = try ProtocolFiles.list(ProtocolFiles.read("vectors/captures.json"))
        #expect(vectors.count > 10)
        for vector in vectors {
            let name = try #require(vector["name"] as? String)
            let bytes = try ProtocolFiles.bytes(#require(vector["hex"] as? String))
            do {
                let found = try lines(bytes)
                let texts = try found.lines.map { try JSONSerialization.jsonObject(with: Data($0)) }
                #expect(texts as NSArray == (vector["lines"] as? NSArray), "\(name)")
                #expect(found.cutOffByteCount == vector["cutOff"] as? Int, "\(name)")
            } catch let error as CaptureError {
                #expect(error.code.rawValue == vector["error"] as? String, "\(name): \(error)")
            }
        }
    }

    @Test func `come out the same when their lines are written and read again`() throws {
        let vectors = try ProtocolFiles.list(ProtocolFiles.read("vectors/captures.json"))
        for vector in vectors where vector["lines"] != nil {
            let bytes = try ProtocolFiles.bytes(#require(vector["hex"] as? String))
            let before = try lines(bytes).lines
            var reader = CaptureLineReader()
            let header = try before[0].withByteView { try reader.header($0) }
            let path = folder.path("again-\(vector["name"] ?? "")")
            var file = try CaptureFile(path: path, header: header)
            for line in before.dropFirst() {
                try line.withByteView { view in
                    try reader.record(view) { record throws(CaptureError) in try file.put(record) }
                }
            }
            try file.close()
            let after = try lines([UInt8](Data(contentsOf: URL(filePath: path)))).lines
            #expect(after == before)
        }
    }
}
