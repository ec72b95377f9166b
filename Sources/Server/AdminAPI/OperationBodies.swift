package import RouterCore
package import StrictJSON

/// The answer to a request to drain: the router drains, or begins to at once.
package struct DrainBody: AdminBody {
    package init() {}

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("isDraining", true)
        json.endObject()
    }
}

/// The log level in force: messages of this level and above are logged.
package struct LogLevelBody: AdminBody {
    private let level: String

    package init(_ level: String) {
        self.level = level
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("level", level)
        json.endObject()
    }
}

/// The answer to a backup that succeeded.
package struct BackupBody: AdminBody {
    private let folder: String
    private let byteCount: UInt64
    private let milliseconds: Int64

    package init(folder: String, byteCount: UInt64, milliseconds: Int64) {
        self.folder = folder
        self.byteCount = byteCount
        self.milliseconds = milliseconds
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("folder", folder)
        json.member("bytes", byteCount)
        json.member("milliseconds", milliseconds)
        json.endObject()
    }
}

/// The values that most pushes of about the last minute were for.
package struct HotKeysBody: AdminBody {
    private let keys: [HotKeyFigures]

    package init(_ keys: [HotKeyFigures]) {
        self.keys = keys
    }

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
