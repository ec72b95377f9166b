public import Foundation

/// A picture of UIKit; only its name is known.
public final class UIImage: @unchecked Sendable {
    /// The name.
    let name: String
    /// Whether it is a symbol of the system.
    let isSymbol: Bool

    init(name: String, isSymbol: Bool = false) {
        self.name = name
        self.isSymbol = isSymbol
    }

    /// A picture of bytes, which are not read.
    public convenience init?(data: Data) {
        if data.isEmpty { return nil }
        self.init(name: "image")
    }

    /// A picture of a file.
    public convenience init?(contentsOfFile path: String) {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        self.init(name: String(path.split(separator: "/").last ?? ""))
    }
}
