internal import ReloadModel
package import RouterCore
package import StrictJSON

/// A page of the list of an app's devices.
package struct DevicesBody: AdminBody {
    private let devices: [DeviceSummary]
    private let next: String?

    /// - Parameters:
    ///   - devices: in the order of the list.
    ///   - next: the device after which the next page begins; nil if this is the last page.
    package init(_ devices: [DeviceSummary], next: String?) {
        self.devices = devices
        self.next = next
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.list("devices", of: devices) { device, json in
            json.beginObject()
            json.member("device", device.device)
            json.member("widgets", device.widgets)
            json.member("isOnline", device.isOnline)
            json.endObject()
        }
        json.member("next", next)
        json.endObject()
    }
}

/// One device, with its widgets and the latest decisions about them.
package struct DeviceBody: AdminBody {
    private let device: DeviceFacts

    package init(_ device: DeviceFacts) {
        self.device = device
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("app", device.app)
        json.member("device", device.device)
        json.member("isPaused", device.isPaused)
        json.member("isOnline", device.connection != nil)
        json.member("connection", device.connection)
        json.object("session") { json in
            json.member("foreground", device.isForeground)
            json.member("media", device.media)
        }
        json.list("widgets", of: device.widgets) { widget, json in Self.write(widget, to: &json) }
        json.list("decisions", of: device.decisions) { decision, json in
            Self.write(decision, to: &json)
        }
        json.endObject()
    }

    private static func write(_ widget: WidgetFacts, to json: inout JSONWriter) {
        json.beginObject()
        json.member("widget", widget.widget)
        json.member("kind", widget.kind)
        json.member("configuration", json: widget.configuration)
        json.member("stage", widget.stage)
        json.member("cause", widget.cause?.rawValue)
        json.member("waitsUntil", widget.waitsUntil)
        json.member("lastReload", widget.lastReload)
        json.member("lastReloadAt", widget.lastReloadAt)
        json.member("isAnswered", widget.isAnswered)
        json.key("date")
        if let date = widget.date {
            json.beginObject()
            json.member("at", date.at)
            json.member("slot", date.slot)
            json.endObject()
        } else {
            json.null()
        }
        json.key("budget")
        if let budget = widget.budget {
            json.beginObject()
            json.member("used", budget.used)
            json.member("allowance", budget.allowance)
            json.member("reserve", budget.reserve)
            json.member("nextAt", budget.nextAt)
            json.endObject()
        } else {
            json.null()
        }
        json.member("shown", json: widget.shown)
        json.endObject()
    }

    private static func write(_ decision: DecisionFacts, to json: inout JSONWriter) {
        json.beginObject()
        json.member("at", decision.at)
        json.member("widget", decision.widget)
        json.member("reason", decision.reason.name)
        json.member("cause", decision.cause.rawValue)
        json.member("until", decision.until)
        json.member("text", decision.text)
        json.endObject()
    }
}
