internal import Basics
internal import FrameCodec
internal import ReloadRouterClient
internal import StoreFormat

extension ReplayEngine {
    /// Processes whole frames from a router; returns how many bytes these were.
    ///
    /// - Throws: an error that ends the connection or, if its code is `refused`, the run.
    func received(
        _ bytes: ByteView,
        on stream: ReplayStream,
        at now: ExactTime
    ) throws(ReplayError) -> Int {
        self.now = max(now, self.now)
        let count: Int
        do throws(ClientError) {
            count = try reader.read(bytes, checks: Self.checks) {
                (header, body) throws(ClientError) in
                try received(header, body: body, on: stream)
            }
        } catch {
            throw ReplayError(error)
        }
        mark(stream)
        return count
    }

    /// Returns true if the reader validates bodies of this type. The tracker parses RELOADs itself,
    /// and SCHEDULED is ignored.
    private static func checks(_ type: FrameType) -> Bool {
        type != .reload && type != .scheduled && FrameReader.hasJSON(type)
    }

    private func received(
        _ header: FrameHeader,
        body: ByteView,
        on stream: ReplayStream
    ) throws(ClientError) {
        switch header.type {
        case .ack: acknowledged(header.seq, body: body, on: stream)
        case .reload:
            lastEvent = now
            tracker?.reported(body, app: stream.app, stream: stream.number, at: now)
        case .scheduled, .detached, .attached: break
        case .reject: rejected(header.seq, body: body, on: stream)
        default:
            if let lastSeq = try stream.received(header, body: body) {
                welcomed(lastSeq, on: stream)
            }
        }
    }

    private func acknowledged(_ seq: UInt64, body: ByteView, on stream: ReplayStream) {
        settle(through: seq, on: stream)
        if stream.role == .publisher, body.count >= 4 {
            recorder.matched(Int(body.bigEndian(UInt32.self, at: 0)))
        }
    }

    /// Records the answers to all frames up to `seq`.
    private func settle(through seq: UInt64, on stream: ReplayStream) {
        lastEvent = now
        while let answer = stream.ring.settle(through: seq) {
            guard case .accepted(let intended) = answer else { continue }
            if stream.role == .publisher {
                recorder.acknowledged(intended: intended, at: now)
            } else if phase == .registering {
                registered += 1
            }
        }
    }

    // MARK: - Rare frames

    private func rejected(_ seq: UInt64, body: ByteView, on stream: ReplayStream) {
        lastEvent = now
        if stream.ring.reject(seq) {
            let refusal = try? RefusalMessage(reading: body, of: .reject)
            recorder.rejected(
                refusal?.code ?? "",
                message: refusal?.message ?? "",
                isPush: stream.role == .publisher
            )
        }
    }

    private func welcomed(_ lastSeq: UInt64, on stream: ReplayStream) {
        if stream.role == .publisher {
            if stream.sessions == 1 && stream.ring.isEmpty {
                stream.ring.begin(after: lastSeq)
            } else {
                settle(through: lastSeq, on: stream)
            }
            return
        }
        tracker?.reach(stream: stream.number, at: now)
        if stream.nextToBind != nil { bindings.append(stream) }
    }

    /// Sends a STATE for each device of a reconnected gateway. The STATE has no member but
    /// `device`, and shows the router that this connection now speaks for the device.
    ///
    /// Devices for which the ring has no capacity follow in a later call.
    func bindDevices() {
        guard let tracker else { return }
        for stream in bindings {
            while let next = stream.nextToBind, stream.ring.hasRoom(1_024) {
                let device = tracker.device(of: stream.number, from: next)
                stream.nextToBind = device.map { $0.number + 1 }
                guard let device else { break }
                let body = Array("{\"device\":\"".utf8) + device.name.array + Array("\"}".utf8)
                body.withByteView { stream.ring.append(.state, body: $0, at: now) }
            }
            mark(stream)
        }
        bindings.removeAll { $0.nextToBind == nil }
    }

    /// Records that a connection is closed. The driver opens another if the stream needs one.
    func closed(_ stream: ReplayStream, because reason: String?) {
        // A failed attempt to connect is no loss.
        let wasOpen = stream.phase == .established || stream.phase == .goingAway
        stream.closed()
        tracker?.lose(stream: stream.number)
        if let reason, wasOpen, phase != .over { recorder.connectionLost(reason) }
        mark(stream)
    }
}

extension ReplayError {
    /// Converts an error of the client library's handshake and reader.
    fileprivate init(_ error: ClientError) {
        guard case .refused(let code, let retry, let message) = error else {
            self.init(.router, message: "\(error)")
            return
        }
        let isFinal = Self.isFinal(code, retry: retry)
        self.init(isFinal ? .refused : .router, message: "\(code): \(message)")
    }

    /// True if another attempt would fail in the same way.
    private static func isFinal(_ code: String, retry: Retry) -> Bool {
        switch code {
        case "token-invalid", "token-expired", "token-revoked", "app-unknown",
            "version-unsupported", "hello-invalid",
            "too-many-producers", "frame-type", "frame-flags", "frame-unexpected",
            "window-exceeded", "seq-not-rising":
            true
        default: ErrorCode(rawValue: code) == nil && retry == .no
        }
    }
}
