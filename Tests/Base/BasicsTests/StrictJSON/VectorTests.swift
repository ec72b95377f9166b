import Basics
import Glibc
import Testing

/// One case of protocol/vectors/json.json.
private struct Vector {
    var name = ""
    var bytes: [UInt8] = []
    var isValid = false
    var error: String?
}

@Suite struct VectorTests {
    private static let path: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(4).joined(separator: "/") + "/protocol/vectors/json.json"
    }()

    @Test(
        "The protocol's JSON vectors get the verdict that they name",
        .enabled(if: unsafe access(VectorTests.path, R_OK) == 0, "the vectors are not there")
    )
    func vectors() throws {
        let vectors = try Self.read()
        #expect(!vectors.isEmpty)
        for vector in vectors {
            let outcome = scan(vector.bytes)
            let context: Comment = "\(vector.name): \(printable(vector.bytes))"
            #expect(outcome.isAccepted == vector.isValid, context)
            #expect(outcome.code.map(Self.protocolCode) == vector.error, context)
        }
    }

    private static func protocolCode(_ code: JSONErrorCode) -> String {
        switch code {
        case .notUTF8: "payload-not-utf8"
        case .notJSON: "payload-not-json"
        case .notObject: "payload-not-object"
        case .tooDeep: "payload-too-deep"
        case .duplicateKey: "payload-duplicate-key"
        case .numberRange: "payload-number-range"
        }
    }

    /// Reads the file with the reader that is under test: a list, which is made an object first.
    private static func read() throws -> [Vector] {
        let document = Array("{\"vectors\":".utf8) + fileBytes() + Array("}".utf8)
        return try document.withByteView { view in
            var scanner = JSONScanner()
            try validateJSON(view, using: &scanner)
            var reader = JSONReader(view)
            var vectors: [Vector] = []
            reader.enterObject()
            _ = reader.nextKey()
            reader.enterArray()
            while reader.nextElement() { vectors.append(vector(&reader)) }
            return vectors
        }
    }

    private static func vector(_ reader: inout JSONReader) -> Vector {
        var vector = Vector()
        reader.enterObject()
        while let key = reader.nextKey() {
            if key == "name" {
                vector.name = reader.readString().string
            } else if key == "hex" {
                vector.bytes = bytes(hex: reader.readString().string)
            } else if key == "valid" {
                vector.isValid = reader.readBoolean()
            } else if key == "error", reader.peek() == .string {
                vector.error = reader.readString().string
            } else {
                reader.skipValue()
            }
        }
        return vector
    }

    private static func bytes(hex: String) -> [UInt8] {
        let digits = hex.utf8.filter { $0 != 0x20 }.map {
            Character(UnicodeScalar($0)).hexDigitValue!
        }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    private static func fileBytes() -> [UInt8] {
        guard let file = unsafe fopen(path, "rb") else { return [] }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var byte = unsafe getc(file)
        while byte != EOF {
            bytes.append(UInt8(byte))
            byte = unsafe getc(file)
        }
        return bytes
    }
}
