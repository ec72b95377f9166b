import Basics
import FrameCodec

/// However a stream of bytes is cut, the decoder finds the same frames in it; whatever the frames,
/// a session stays whole.
final class FrameFuzzing: FuzzTarget {
    private static let maxBody = 1_024
    private static let window = 10

    func run(_ input: ByteView) {
        var input = FuzzInput(input)
        let settings = input.byte()
        let stream = input.rest
        let whole = Decoded(stream, piece: stream.count)
        let sizes = [1, 2 + Int(settings >> 4), 16 + Int(settings & 15)]
        for piece in sizes {
            let cut = Decoded(stream, piece: piece)
            require(cut.headers == whole.headers, "in pieces of \(piece): \(cut.headers)")
            require(
                cut.error == whole.error,
                "in pieces of \(piece): \(String(describing: cut.error))"
            )
            require(cut.end == whole.end, "in pieces of \(piece) to \(cut.end)")
        }
        checkEncoding(whole, stream)
        follow(whole.headers, settings)
    }

    /// What a stream decodes to, when so many bytes of it come at a time.
    private struct Decoded {
        var headers: [FrameHeader] = []
        /// Where the last whole frame ends.
        var end = 0
        var error: ProtocolError?

        init(_ stream: ByteView, piece: Int) {
            var known = 0
            repeat {
                known = min(known + max(1, piece), stream.count)
                stream.slice(end, to: known).withCopy { input in take(input) }
            } while known < stream.count && error == nil
        }

        private mutating func take(_ input: ByteView) {
            var offset = 0
            do throws(ProtocolError) {
                while let header = try FrameHeader.decode(
                    input,
                    at: offset,
                    maxBody: FrameFuzzing.maxBody
                ) {
                    offset += FrameHeader.byteCount + header.bodyCount
                    headers.append(header)
                }
            } catch {
                self.error = error
            }
            end += offset
        }
    }

    /// Frames encode to the bytes that they came from, and an error says what is wrong in few
    /// words.
    private func checkEncoding(_ decoded: Decoded, _ stream: ByteView) {
        var offset = 0
        for header in decoded.headers {
            let start = offset + FrameHeader.byteCount
            let end = start + header.bodyCount
            let encoded = encodeFrame(
                header.type,
                flags: header.flags,
                seq: header.seq,
                body: stream.slice(start, to: end).array
            )
            require(
                encoded == stream.slice(offset, to: end).array,
                "\(header) encodes to other bytes"
            )
            offset = end
        }
        require(offset == decoded.end, "frames end at \(offset), and not at \(decoded.end)")
        if let error = decoded.error { requireShort(error) }
    }

    // MARK: - The session

    private func follow(_ headers: [FrameHeader], _ settings: UInt8) {
        var session = Session()
        let roles: [Peer?] = [nil, .publisher, .device, .gateway]
        if let role = roles[Int(settings & 3)] {
            session.accept(role, lastSeq: UInt64(settings >> 2 & 7))
        }
        for header in headers {
            let before = session
            do throws(ProtocolError) {
                let input = try session.received(header, window: Self.window, jump: 1 << 32)
                check(before, session, header, input)
            } catch {
                requireShort(error)
                session.end()
            }
            require(session.highestSeq >= before.highestSeq, "the seq goes back")
            if header.seq & 7 == 7 { session.acknowledged() }
        }
    }

    private func check(
        _ before: Session,
        _ after: Session,
        _ header: FrameHeader,
        _ input: SessionInput
    ) {
        require(after.phase == before.phase, "a frame changes the role")
        switch input {
        case .push, .perhapsRejectedPush, .widgets, .timeline, .state, .request, .attach:
            require(header.seq > before.highestSeq, "\(header) is no rising one")
            require(after.highestSeq == header.seq, "\(header) is forgotten")
        case .duplicatePush:
            require(header.seq <= before.highestSeq && header.seq > 0, "\(header) is none")
        case .ping, .pong:
            require(header.bodyCount == 0 && after == before, "\(header) changes something")
        case .hello:
            require(before.phase == .awaitingHello && header.seq == 0, "\(header) is no HELLO")
        }
        if after.phase == .publisher {
            require(after.unacknowledged <= Self.window, "the window is exceeded")
        }
    }
}

/// The most bytes that the body of an ERROR or a REJECT may have, whatever was sent.
let errorByteLimit = 600

func requireShort(_ error: ProtocolError) {
    let count = error.encoded.count
    require(!error.message.isEmpty, "an error without a message")
    require(count <= errorByteLimit, "an error of \(count) bytes: \(error.message)")
}
