import Foundation

@testable import reload_router

/// Statuses that were saved, a second apart, and what is made of them.
enum TopCases {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Cases")

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    static func status(_ name: String) throws -> TopStatus {
        try TopStatus(bytes(name + ".json"))
    }

    static func history(_ names: String...) throws -> TopHistory {
        var history = TopHistory()
        for name in names { history.add(try status(name)) }
        return history
    }

    /// What was saved; `RELOAD_ROUTER_SAVE` set writes it anew, for a look at the difference.
    static func saved(_ name: String, _ text: String) throws -> String {
        if ProcessInfo.processInfo.environment["RELOAD_ROUTER_SAVE"] != nil {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        return String(decoding: try bytes(name), as: UTF8.self)
    }
}
