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
        case .frameLength, .frameType, .frameFlags, .frameReserved, .frameUnexpected,
            .seqNotRising, .seqTooHigh, .windowExceeded, .helloExpected, .helloInvalid,
            .versionUnsupported, .appUnknown, .tokenInvalid, .tokenExpired, .tokenRevoked,
            .tlsRequired, .sessionReplaced, .payloadNotUTF8, .payloadNotJSON, .payloadNotObject,
            .payloadTooDeep, .payloadDuplicateKey, .payloadNumberRange, .payloadKinds,
            .payloadCombinations, .patternCost, .payloadExpiry, .bodyInvalid, .identifierInvalid,
            .deviceForeign, .deviceUnknown, .widgetUnknown, .widgetDuplicate, .kindUnknown,
            .configurationInvalid, .timelineInvalid, .tooManyWidgets:
            .no
        }
    }
}
