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
    package struct Key: Equatable, Sendable {
        package var app: String
        package var kind: String
        /// Such as `character=elf-42`.
        package var key: String
        package var pushes: UInt64
        /// Widgets that they have found.
        package var matched: UInt64

        package init(app: String, kind: String, key: String, pushes: UInt64, matched: UInt64) {
            self.app = app
            self.kind = kind
            self.key = key
            self.pushes = pushes
            self.matched = matched
        }
    }

    private let keys: [Key]

    package init(_ keys: [Key]) {
        self.keys = keys
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.list("keys", of: keys) { key, json in
            json.beginObject()
            json.member("app", key.app)
            json.member("kind", key.kind)
            json.member("key", key.key)
            json.member("pushes", key.pushes)
            json.member("matched", key.matched)
            json.endObject()
        }
        json.endObject()
    }
}
