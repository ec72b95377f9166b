internal import Basics

/// The frame types of version 1 of the protocol; a test compares them with
/// `protocol/protocol.json`.
@usableFromInline
package enum FrameType: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case hello = 0x01
    case welcome = 0x02
    case ping = 0x03
    case pong = 0x04
    case push = 0x10
    case ack = 0x11
    case reject = 0x12
    case outcome = 0x13
    case widgets = 0x20
    case timeline = 0x21
    case state = 0x22
    case request = 0x23
    case attach = 0x24
    case reload = 0x30
    case scheduled = 0x31
    case detached = 0x32
    case attached = 0x33
    case error = 0x7e
    case goaway = 0x7f

    /// From this byte on, a client passes over the frames of types that it does not know.
    @inlinable package static var firstIgnored: UInt8 { 0x40 }

    /// The type with this byte in the header; nil if there is none.
    ///
    /// Nearly all frames are pushes, so they are recognised first, without a search.
    @inlinable @inline(__always)
    init?(byte: UInt8) {
        if byte == 0x10 {
            self = .push
        } else {
            self.init(rawValue: byte)
        }
    }

    /// The name in the specification, for errors and for people: it is made of the case's.
    package var name: String { "\(self)".uppercased() }

    /// The flag bits that have a meaning for this type; all others must be zero.
    @inlinable @inline(__always)
    package var knownFlags: UInt8 { self == .push ? 0x07 : 0 }

    /// The peers that may send this type.
    package var senders: [Peer] {
        switch self {
        case .hello: [.publisher, .device, .gateway]
        case .ping, .pong: [.publisher, .device, .gateway, .server]
        case .push: [.publisher]
        case .widgets, .timeline, .state, .request: [.device, .gateway]
        case .attach: [.gateway]
        case .welcome, .ack, .reject, .outcome, .reload, .scheduled, .detached, .attached, .error,
            .goaway:
            [.server]
        }
    }
}

/// The flag bits of PUSH.
@usableFromInline
package enum PushFlags {
    /// The reloads of this push may go ahead of others.
    @inlinable package static var urgent: UInt8 { 0x01 }
    /// The body begins with a `u64`: the milliseconds since 1970 at which the push expires.
    @inlinable package static var expires: UInt8 { 0x02 }
    /// In front of the payload stand the kinds to which the push is narrowed.
    @inlinable package static var kinds: UInt8 { 0x04 }
}

/// The roles at the ends of a connection.
package enum Peer: String, CaseIterable, Sendable, BitwiseCopyable {
    case publisher
    case device
    case gateway
    case server
}
