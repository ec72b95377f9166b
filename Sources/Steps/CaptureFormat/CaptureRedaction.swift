internal import Basics

/// Replaces values that identify people in records by hashes, under a key that is kept nowhere.
///
/// Equal values get equal hashes, so that what matched before matches afterwards:
///
///     a string     "h" and 16 digits in hex; a push token without the "h"
///     a number     a whole number below 2^48, with .5 after it if the value is no 64-bit integer
///     true, false, null, names of members      as they are
///
/// Replaced are devices, widgets, producers, push tokens, and the values in payloads,
/// configurations and unknown members. App ids, kinds, families, dates and policies of timelines,
/// and what STATE reports of the app, stay as they are. In rules, values that are compared for
/// equality are replaced too. So are operands of `prefix`, `suffix`, `equals-ignore-case`,
/// `wildcard` and `regexp`, which then match nothing any more; `numeric` and `cidr` stay as they
/// are, and match only by chance.
///
/// A body that is not a JSON object is replaced by an empty object.
package final class CaptureRedaction {
    private var writer: RedactionWriter

    /// - Parameter key: a random key, drawn for each recording and discarded with it.
    package init(key: (UInt64, UInt64)) { writer = RedactionWriter(key) }

    /// Calls `body` with the redacted record, which is valid only until that returns.
    package func withRedacted(_ record: CaptureRecord, body: (CaptureRecord) -> Void) {
        var redacted = record
        switch record.kind {
        case .ended, .lost: return body(record)
        case .apps:
            openAppFile(record.body).withByteView {
                writer.rewrite($0, from: 0, as: .apps)
            }
        case .push:
            let prefix = record.pushParts.map { record.body.count - $0.payload.count } ?? 0
            writer.rewrite(record.body, from: prefix, as: .push)
        case .hello, .widgets, .timeline, .state, .request, .attach:
            writer.rewrite(record.body, from: 0, as: record.kind)
        }
        redacted.body = writer.bytes
        body(redacted)
    }
}
