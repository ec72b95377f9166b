import Foundation
import Testing

/// The files of `protocol/`, which is beside `Tests/`.
enum ProtocolFiles {
    static func read(_ name: String, from file: String = #filePath) throws -> Any {
        let root = URL(filePath: file).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: root.appending(path: "protocol/" + name))
        return try JSONSerialization.jsonObject(with: data)
    }

    /// A list of objects.
    static func list(_ value: Any?) throws -> [[String: Any]] {
        try #require(value as? [[String: Any]])
    }

    /// The bytes of a text in hex.
    static func bytes(_ hex: String) throws -> [UInt8] {
        let digits = try hex.map { try #require($0.hexDigitValue) }
        try #require(digits.count % 2 == 0)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}
