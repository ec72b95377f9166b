package import Basics
internal import FrameCodec

extension ScheduledReload {
    /// Reads the body of SCHEDULED.
    ///
    /// - Throws: what is wrong with it.
    package init(_ bytes: ByteView) throws(ProtocolError) {
        let body = BodyReader(bytes, of: .scheduled)
        var reloadAt: WallTime?
        // A length, and written as a date is: a whole number of ms, from 0.
        var slotDelay: WallTime?
        var warning: String?
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "reloadAt" {
                reloadAt = try body.date(&reader, at: "reloadAt")
            } else if name == "slotDelay" {
                slotDelay = try body.date(&reader, at: "slotDelay")
            } else if name == "warning" {
                warning = try body.string(&reader, at: "warning").string
            } else {
                return false
            }
            return true
        }
        self.init(
            reloadAt: try body.required(reloadAt, at: "reloadAt").rawValue,
            slotDelay: slotDelay?.rawValue ?? 0,
            warning: warning
        )
    }
}
