internal import Cryptography
internal import DataStructures
internal import ReloadModel
internal import Times

/// How a publisher names a request.
enum RequestName {
    /// The value of `Idempotency-Key`.
    case key(String)
    /// The names of its CloudEvents.
    case cloudEvents([CloudEvent.Name])

    /// The name of a request with these events; nil without any.
    static func events(_ names: [CloudEvent.Name]) -> RequestName? {
        names.isEmpty ? nil : .cloudEvents(names)
    }

    /// Its parts, each of which is written after its length.
    fileprivate var parts: [String] {
        switch self {
        case .key(let key): ["key", key]
        case .cloudEvents(let names): ["events"] + names.flatMap { [$0.source, $0.id] }
        }
    }
}

extension PushRequest {
    /// The key of this request under a name that its publisher has given it: another sender's
    /// request of the same name has another key.
    func key(named name: RequestName) -> RequestKey {
        var bytes: [UInt8] = []
        let owner = [app, "\(sender.credential.count)"] + sender.credential
        for part in owner + name.parts { bytes.append(part: Array(part.utf8)) }
        let named = bytes.withByteView { SHA256.digest($0) }
        return RequestKey(
            high: named.word(0),
            low: UInt32(truncatingIfNeeded: named.word(1)),
            content: UInt32(truncatingIfNeeded: contentDigest.word(0))
        )
    }

    /// The digest of everything that decides what the pushes lead to.
    private var contentDigest: SHA256Digest {
        var bytes: [UInt8] = []
        // At once: a body of megabytes would be copied again and again.
        bytes.reserveCapacity(byteCount + (kinds?.count ?? 0) + 64)
        bytes.append(isUrgent ? 1 : 0)
        bytes.append(part: Array("\(expiresAt?.rawValue ?? .max)".utf8))
        bytes.append(part: kinds ?? [0])
        for payload in payloads { bytes.append(part: payload) }
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
