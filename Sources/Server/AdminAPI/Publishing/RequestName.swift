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

    /// Its parts, each of which is written after its length.
    fileprivate var parts: [String] {
        switch self {
        case .key(let key): ["key", key]
        case .cloudEvents(let names): ["event names"] + names.flatMap { [$0.source, $0.id] }
        }
    }
}

extension PushRequest {
    /// The key of this request under a name that its publisher has given it: another sender's
    /// request of the same name has another key.
    ///
    /// - Parameters:
    ///   - name: the name. If it is that of events, these are the same events however they are
    ///     written, and the content is not compared.
    ///   - contents: what the pushes say; nil if that is their payloads.
    /// - Returns: the key.
    func key(named name: RequestName, contents: [[UInt8]]? = nil) -> RequestKey {
        var bytes: [UInt8] = []
        let owner = [app, "\(sender.credential.count)"] + sender.credential
        for part in owner + name.parts { bytes.append(part: Array(part.utf8)) }
        let named = bytes.withByteView { SHA256.digest($0) }
        return RequestKey(
            high: named.word(0),
            low: UInt32(truncatingIfNeeded: named.word(1)),
            content: content(under: name, contents: contents)
        )
    }

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
        bytes.append(part: Array("\(expiresAt?.rawValue ?? .max)".utf8))
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
