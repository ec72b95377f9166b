package import RouterCore
package import StrictJSON

/// That the router drains, or will at once.
package struct DrainBody: AdminBody {
    package init() {}

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("isDraining", true)
        json.endObject()
    }
}

/// From which level on is logged.
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

/// A store that was copied.
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

/// The values that most pushes of the last minute or so were for.
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
