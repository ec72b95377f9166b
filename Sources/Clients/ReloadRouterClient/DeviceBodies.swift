internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import StrictJSON

/// The bodies of the frames that a device sends, as their user has written them.
enum DeviceBodies {
    /// The device that a WIDGETS body is about.
    ///
    /// The body is judged here already, so that what is wrong is said with its place, and nothing
    /// that the router would refuse is kept for a reconnect.
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
