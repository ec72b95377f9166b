internal import Basics
internal import FrameCodec

/// Checks the bodies of device frames that the client's user has written.
package enum DeviceBodies {
    /// Checks that the dates of a timeline are in milliseconds since 1970.
    ///
    /// - Throws: `bodyInvalid`, with what a date looks like instead.
    static func requireDates(
        _ entries: [Int64],
        policy: ReloadPolicy,
        now: WallTime
    ) throws(ClientError) {
        var dates = entries
        if case .after(let date) = policy { dates.append(date) }
        for date in dates {
            if let unit = WallTime.misreading(of: UInt64(clamping: date), now: now) {
                throw .bodyInvalid(
                    "the date \(date) looks like \(unit); send milliseconds since 1970"
                )
            }
        }
    }

    /// Checks a WIDGETS body, and returns the device that it registers.
    ///
    /// It is checked before it is sent, so that the error has a position in the caller's text, and
    /// so that no body that the router would refuse is kept for a reconnect.
    ///
    /// - Throws: `bodyInvalid`.
    package static func device(ofWidgets body: [UInt8]) throws(ClientError) -> String {
        try body.withByteView { (view) throws(ClientError) in
            var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
            do throws(JSONError) {
                try validateJSON(view, using: &scanner)
            } catch {
                throw .bodyInvalid(error.message)
            }
            do throws(ProtocolError) {
                return try WidgetsMessage(view).device.string
            } catch {
                throw .bodyInvalid(error.message)
            }
        }
    }
}
