internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import StrictJSON

/// Checks the bodies of device frames that the client's user has written.
enum DeviceBodies {
    /// Checks a WIDGETS body, and returns the device that it registers.
    ///
    /// It is checked before it is sent, so that the error has a position in the caller's text, and
    /// so that no body that the router would refuse is kept for a reconnect.
    ///
    /// - Throws: `bodyInvalid`.
    static func device(ofWidgets body: [UInt8]) throws(ClientError) -> String {
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
