internal import DataStructures

/// Replaces what identifies people in records by hashes under a key that nobody keeps.
///
/// Equal values stay equal, so what matched before matches afterwards:
///
///     a string     "h" and 16 digits in hex
///     a number     a whole number below 2^48; one that was not whole has .5 behind it
///     true, false, null, names of members      as they are
///
/// Devices, widgets, producers, push tokens and what payloads, configurations and unknown members
/// hold are replaced; app ids, kinds and families, dates and policies of timelines, and what STATE
/// tells of the app are not. In rules, values that are compared for equality are replaced alike;
/// operands of `prefix`, `suffix`, `equals-ignore-case`, `wildcard` and `regexp` too, though they
/// hold for nothing any more; `numeric` and `cidr` stay as they are, and hold by chance.
///
/// A record whose body is no JSON object gets an empty one.
package final class CaptureRedaction {
    private var writer: RedactionWriter

    /// - Parameter key: drawn at random for each recording, and forgotten.
    package init(key: (UInt64, UInt64)) {
        writer = RedactionWriter(key)
    }

    /// Calls `body` with the record without what identifies people, valid during the call.
    package func withRedacted(_ record: CaptureRecord, _ body: (CaptureRecord) -> Void) {
        var redacted = record
        switch record.kind {
        case .ended, .lost: return body(record)
        case .apps:
            appFileWithoutTokens(record.body).withByteView { writer.rewrite($0, from: 0, .apps) }
        case .push:
            let hasDate = record.flags & CaptureRecord.expiresFlag != 0 && record.body.count >= 8
            writer.rewrite(record.body, from: hasDate ? 8 : 0, .push)
        case .hello, .widgets, .timeline, .state, .request:
            writer.rewrite(record.body, from: 0, record.kind)
        }
        redacted.body = writer.bytes
        body(redacted)
    }
}
