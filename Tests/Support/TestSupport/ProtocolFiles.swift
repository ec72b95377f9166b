package import Foundation

/// The files of `protocol/`, which is beside `Tests/`.
package enum ProtocolFiles {
    /// Why a file is of no use to a test.
    private enum Failure: Error {
        case notAListOfObjects
        case notHex(String)
    }

    package static func data(_ name: String) throws -> Data {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: root.appending(path: "protocol/" + name))
    }

    /// The value that a JSON file is.
    package static func read(_ name: String) throws -> Any {
        try JSONSerialization.jsonObject(with: data(name))
    }

    /// A list of objects.
    package static func list(_ value: Any?) throws -> [[String: Any]] {
        guard let list = value as? [[String: Any]] else { throw Failure.notAListOfObjects }
        return list
    }

    /// The bytes of a text in hex.
    package static func bytes(_ hex: String) throws -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        guard digits.count == hex.count, digits.count % 2 == 0 else { throw Failure.notHex(hex) }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}
