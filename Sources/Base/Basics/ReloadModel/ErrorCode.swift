/// The code of an ERROR or REJECT frame, from the list in `protocol/protocol.json`.
///
/// A code never changes its meaning; the sentence sent with it is for people and may change.
@usableFromInline
package enum ErrorCode: String, BitwiseCopyable, CaseIterable, Sendable {
    // Errors of the frame itself: the connection ends, because later bytes cannot be trusted.
    case frameLength = "frame-length"
    case frameType = "frame-type"
    case frameFlags = "frame-flags"
    case frameReserved = "frame-reserved"
    case frameUnexpected = "frame-unexpected"
    case frameTimeout = "frame-timeout"
    case seqNotRising = "seq-not-rising"
    case seqTooHigh = "seq-too-high"
    case windowExceeded = "window-exceeded"

    // Errors of the session: the connection ends.
    case helloExpected = "hello-expected"
    case helloTimeout = "hello-timeout"
    case helloInvalid = "hello-invalid"
    case versionUnsupported = "version-unsupported"
    case appUnknown = "app-unknown"
    case tokenInvalid = "token-invalid"
    case tokenExpired = "token-expired"
    case tokenRevoked = "token-revoked"
    case tlsRequired = "tls-required"
    case pingTimeout = "ping-timeout"
    case sessionReplaced = "session-replaced"
    case tooManyConnections = "too-many-connections"
    case tooManyProducers = "too-many-producers"

    // Errors in a frame's body: the frame is refused and the connection stays open; in a HELLO, the
    // connection ends.
    case payloadNotUTF8 = "payload-not-utf8"
    case payloadNotJSON = "payload-not-json"
    case payloadNotObject = "payload-not-object"
    case payloadTooDeep = "payload-too-deep"
    case payloadDuplicateKey = "payload-duplicate-key"
    case payloadNumberRange = "payload-number-range"
    case payloadKinds = "payload-kinds"
    case payloadCombinations = "payload-combinations"
    case patternCost = "pattern-cost"
    case payloadExpiry = "payload-expiry"
    case bodyInvalid = "body-invalid"
    case identifierInvalid = "identifier-invalid"
    case deviceForeign = "device-foreign"
    case deviceAttached = "device-attached"
    case deviceUnknown = "device-unknown"
    case widgetUnknown = "widget-unknown"
    case widgetDuplicate = "widget-duplicate"
    case kindUnknown = "kind-unknown"
    case configurationInvalid = "configuration-invalid"
    case timelineInvalid = "timeline-invalid"
    case tooManyWidgets = "too-many-widgets"
    case tooManyDevices = "too-many-devices"

    // An app's quota, or a limit of all apps together: refuses a frame; at HELLO, ends the
    // connection.
    case quotaExceeded = "quota-exceeded"
}

/// An error of a peer: a stable code, and a sentence that says what is wrong and where.
@usableFromInline
package struct ProtocolError: Error, Equatable, Sendable {
    /// The stable code, for programs.
    package let code: ErrorCode
    /// The sentence for people.
    package let message: String

    /// An error of this code, with the sentence that is sent with it.
    package init(_ code: ErrorCode, message: String) {
        self.code = code
        self.message = message
    }
}

/// Whether what was refused with a code is accepted when it is tried again.
///
/// Every ERROR and REJECT says it beside its code, so that a client needs to know no codes.
package enum RetryAdvice: String, CaseIterable, Sendable {
    /// Something has to be changed first: the sender, its credential, or the app file.
    case no
    /// The same is accepted once something else has ended; a client tries again after a pause.
    case later
    /// The same is accepted on a new connection.
    case reconnect
}

extension ErrorCode {
    /// Whether another attempt may succeed, as `protocol/protocol.json` has it.
    package var retry: RetryAdvice {
        switch self {
        case .frameTimeout, .helloTimeout, .pingTimeout: .reconnect
        case .tooManyConnections, .tooManyProducers, .tooManyDevices, .quotaExceeded,
            .deviceAttached:
            .later
        default: .no
        }
    }
}
