package import ReloadModel
internal import StrictJSON

/// The body of WELCOME: what the router agreed to.
package struct WelcomeMessage: Equatable, Sendable {
    package var session: String
    package var maxBody: Int
    package var window: Int
    /// The producer's highest accepted push; nil for devices and gateways.
    package var lastSeq: UInt64?

    package init(session: String, maxBody: Int, window: Int, lastSeq: UInt64?) {
        self.session = session
        self.maxBody = maxBody
        self.window = window
        self.lastSeq = lastSeq
    }

    package var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("v")
        writer.integer(HelloMessage.version)
        writer.key("session")
        writer.string(session)
        writer.key("maxBody")
        writer.integer(Int64(maxBody))
        writer.key("window")
        writer.integer(Int64(window))
        if let lastSeq {
            writer.key("lastSeq")
            writer.unsigned(lastSeq)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension ProtocolError {
    /// The body of ERROR and REJECT.
    package var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("code")
        writer.string(code.rawValue)
        writer.key("message")
        writer.string(message)
        writer.endObject()
        return writer.bytes
    }
}

/// The body of SCHEDULED: the date that a widget's `after(date)` was given.
package struct ScheduledMessage: Equatable, Sendable {
    package var device: String
    package var widget: String
    /// Milliseconds since 1970.
    package var reloadAt: Int64
    /// How much later that is than the date asked for, in ms.
    package var slotDelay: Int64

    package init(device: String, widget: String, reloadAt: Int64, slotDelay: Int64) {
        self.device = device
        self.widget = widget
        self.reloadAt = reloadAt
        self.slotDelay = slotDelay
    }

    package var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("device")
        writer.string(device)
        writer.key("widget")
        writer.string(widget)
        writer.key("reloadAt")
        writer.integer(reloadAt)
        writer.key("slotDelay")
        writer.integer(slotDelay)
        writer.endObject()
        return writer.bytes
    }
}
