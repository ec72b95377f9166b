package import RouterCore
package import StrictJSON
package import Times

/// The answer to revoking the tokens of a device.
package struct RevokedBody: AdminBody {
    private let app: String
    private let device: String
    private let before: WallTime
    private let sessionsEnded: Int
    private let hint: String?

    /// - Parameters:
    ///   - app: the app.
    ///   - device: the device.
    ///   - before: tokens that were issued before this date are revoked.
    ///   - sessionsEnded: the number of sessions that are ended.
    ///   - hint: why this keeps no device out; nil if it may.
    package init(
        app: String,
        device: String,
        before: WallTime,
        sessionsEnded: Int,
        hint: String?
    ) {
        self.app = app
        self.device = device
        self.before = before
        self.sessionsEnded = sessionsEnded
        self.hint = hint
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("app", value: app)
            json.member("device", value: device)
            json.member("before", value: before)
            json.member("sessionsEnded", value: sessionsEnded)
            json.member("hint", value: hint)
        }
    }
}

/// The answer to taking a revocation back.
package struct WithdrawnBody: AdminBody {
    private let app: String
    private let device: String

    /// Makes an answer that names the device.
    package init(app: String, device: String) {
        self.app = app
        self.device = device
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("app", value: app)
            json.member("device", value: device)
            json.member("isWithdrawn", value: true)
        }
    }
}

/// A page of the devices whose tokens are revoked.
package struct RevocationsBody: AdminBody {
    private let found: [TokenRevocationView]
    private let next: String?

    /// - Parameters:
    ///   - found: the devices.
    ///   - isWhole: whether this is the last page.
    package init(_ found: [TokenRevocationView], isWhole: Bool) {
        self.found = found
        next = isWhole ? nil : found.last?.device
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.list("revocations", of: found) { entry, json in
                json.object { json in
                    json.member("device", value: entry.device)
                    json.member("before", value: entry.before)
                }
            }
            json.member("next", value: next)
        }
    }
}
