internal import Basics
internal import Cryptography

/// How a publisher names a request.
enum RequestName {
    /// The value of `Idempotency-Key`.
    case key(String)
    /// The names of its CloudEvents.
    case cloudEvents([CloudEvent.Name])

    /// The key of a request that a credential's holder has given this name, without bits of its
    /// content. `credential` is what its keys belong to.
    func key(app: String, credential: [String], content: UInt32 = 0) -> RequestKey {
        let digest = digest(app: app, credential: credential)
        return RequestKey(
            high: digest.word(0),
            low: UInt32(truncatingIfNeeded: digest.word(1)),
            content: content
        )
    }

    private func digest(app: String, credential: [String]) -> SHA256Digest {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes.append(part: app.utf8)
        bytes.append(part: String(credential.count).utf8)
        for part in credential { bytes.append(part: part.utf8) }
        append(to: &bytes)
        return bytes.withByteView { SHA256.digest($0) }
    }

    /// Appends its parts, each after its length.
    fileprivate func append(to bytes: inout [UInt8]) {
        switch self {
        case .key(let key):
            bytes.append(part: "key".utf8)
            bytes.append(part: key.utf8)
        case .cloudEvents(let names):
            bytes.append(part: "event names".utf8)
            for name in names {
                bytes.append(part: name.source.utf8)
                bytes.append(part: name.id.utf8)
            }
        }
    }
}

extension PushRequest {
    /// The key of this request under a name that its publisher has given it: another sender's
    /// request of the same name has another key. A name of events stands for the same events
    /// however they are written, and the content is not compared. `contents` is what the pushes
    /// say; nil if that is their payloads.
    func key(named name: RequestName, contents: [[UInt8]]? = nil) -> RequestKey {
        let content = content(under: name, contents: contents)
        return name.key(app: app, credential: sender.credential, content: content)
    }

    /// What the push of an event is found by (`RequestKey.high`).
    func name(of event: CloudEvent) -> UInt64 {
        RequestName.cloudEvents([event.name]).key(app: app, credential: sender.credential).high
    }

    /// The date of what never expires.
    private static let never = Array(String(Int64.max).utf8)

    private func content(under name: RequestName, contents: [[UInt8]]?) -> UInt32 {
        if case .cloudEvents = name { return 0 }
        let digest = contents.map { contentDigest(of: $0) } ?? contentDigest(of: payloads)
        return UInt32(truncatingIfNeeded: digest.word(0))
    }

    /// The digest of everything that decides what the pushes lead to.
    private func contentDigest(of contents: some Sequence<some Collection<UInt8>>) -> SHA256Digest {
        var bytes: [UInt8] = []
        // At once: a body of megabytes would be copied again and again.
        bytes.reserveCapacity(byteCount + (kinds?.count ?? 0) + 64)
        bytes.append(isUrgent ? 1 : 0)
        bytes.append(part: expiresAt.map { Array(String($0.rawValue).utf8) } ?? Self.never)
        bytes.append(part: kinds ?? [0])
        for content in contents { bytes.append(part: content) }
        return bytes.withByteView { SHA256.digest($0) }
    }
}

extension [UInt8] {
    /// Appends bytes after their number, so that no two lists of parts are written alike.
    mutating func append(part: some Collection<UInt8>) {
        let count = UInt32(part.count)
        for shift in [0, 8, 16, 24] as [UInt32] {
            append(UInt8(truncatingIfNeeded: count >> shift))
        }
        append(contentsOf: part)
    }
}
