package import RouterCore
package import StrictJSON
package import Times

/// The answer to a request to drain: the router drains already, or begins to with the loop's next
/// sweep.
package struct DrainBody: AdminBody {
    /// Makes the answer, which is always the same.
    package init() {}

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("isDraining", value: true)
        json.endObject()
    }
}

/// The log level in force: messages of this level and above are logged.
package struct LogLevelBody: AdminBody {
    private let level: String

    /// Makes a body from the name of the level, such as `info`.
    package init(_ level: String) {
        self.level = level
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("level", value: level)
        json.endObject()
    }
}

/// The answer to a backup that succeeded.
package struct BackupBody: AdminBody {
    private let folder: String
    private let byteCount: UInt64
    private let duration: Milliseconds

    /// Makes an answer from the copy's folder, its size and the time that it took.
    package init(folder: String, byteCount: UInt64, duration: Milliseconds) {
        self.folder = folder
        self.byteCount = byteCount
        self.duration = duration
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("folder", value: folder)
        json.member("bytes", value: byteCount)
        json.member("milliseconds", value: duration)
        json.endObject()
    }
}

/// The keys by which the most pushes of about the last minute have found widgets.
package struct HotKeysBody: AdminBody {
    private let keys: [HotKeyTotals]

    /// Makes a body from the keys, the most frequent first.
    package init(_ keys: [HotKeyTotals]) {
        self.keys = keys
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.list("keys", of: keys) { key, json in
            json.beginObject()
            key.write(to: &json)
            json.endObject()
        }
        json.endObject()
    }
}
