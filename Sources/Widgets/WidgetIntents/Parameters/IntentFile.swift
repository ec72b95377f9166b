public import Foundation

/// A file that is a parameter or a result.
public struct IntentFile: Sendable {
    /// The content.
    public var data: Data
    /// The file's name.
    public var filename: String
    /// Where the file is; nil if it is only in memory.
    public var fileURL: URL?

    /// Makes a file from its content.
    public init(data: Data, filename: String, type: (any Sendable)? = nil) {
        self.data = data
        self.filename = filename
    }

    /// Makes a file from its address.
    public init(fileURL: URL, filename: String? = nil, type: (any Sendable)? = nil) {
        data = (try? Data(contentsOf: fileURL)) ?? Data()
        self.filename = filename ?? fileURL.lastPathComponent
        self.fileURL = fileURL
    }
}
