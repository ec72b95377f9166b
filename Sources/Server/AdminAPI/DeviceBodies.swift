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

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.list("devices", of: devices) { device, json in
            json.beginObject()
            json.member("device", value: device.device)
            json.member("widgets", value: device.widgets)
            json.member("isOnline", value: device.isOnline)
            json.endObject()
        }
        json.member("next", value: next)
        json.endObject()
    }
}

/// The answer to removing a device.
package struct ForgottenDeviceBody: AdminBody {
    private let app: String
    private let device: String

    /// Makes an answer that names the removed device.
    package init(app: String, device: String) {
        self.app = app
        self.device = device
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("app", value: app)
        json.member("device", value: device)
        json.member("isForgotten", value: true)
        json.endObject()
    }
}

/// One device, with its widgets and the latest decisions about them.
package struct DeviceBody: AdminBody {
    private let device: DeviceView

    /// Makes a body from the router's view of a device.
    package init(_ device: DeviceView) {
        self.device = device
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("app", value: device.app)
        json.member("device", value: device.device)
        json.member("isPaused", value: device.isPaused)
        json.member("isOnline", value: device.connection != nil)
        json.member("connection", value: device.connection?.rawValue)
        json.object("session") { json in
            json.member("foreground", value: device.isForeground)
            json.member("media", value: device.media)
        }
        json.member("heardAt", value: device.heardAt)
        json.key("push")
        if let push = device.push { Self.write(push, to: &json) } else { json.null() }
        json.list("widgets", of: device.widgets) { widget, json in Self.write(widget, to: &json) }
        json.list("decisions", of: device.decisions) { decision, json in
            Self.write(decision, to: &json)
        }
        json.endObject()
    }

    private static func write(_ push: APNsPushView, to json: inout JSONWriter) {
        json.beginObject()
        json.member("environment", value: push.environment.rawValue)
        json.member("isReached", value: push.channel != nil)
        json.member("channel", value: push.channel.map { "\($0)" })
        json.member("token", value: push.tokenState?.rawValue)
        json.member("appToken", value: push.appTokenState?.rawValue)
        json.member("registeredAt", value: push.registeredAt)
        json.member("isUnderWay", value: push.isUnderWay)
        json.member("used", value: push.used)
        json.member("cap", value: push.cap)
        json.member("waitsUntil", value: push.waits?.until)
        json.member("waitsFor", value: push.waits?.reason.name)
        json.endObject()
    }

    private static func write(_ widget: WidgetView, to json: inout JSONWriter) {
        json.beginObject()
        json.member("widget", value: widget.widget)
        json.member("kind", value: widget.kind)
        json.member("configuration", json: widget.configuration)
        json.member("stage", value: widget.stage)
        json.member("cause", value: widget.cause?.rawValue)
        json.member("waitsUntil", value: widget.waitsUntil)
        json.member("lastReload", value: widget.lastReload)
        json.member("lastReloadAt", value: widget.lastReloadAt)
        json.member("isAnswered", value: widget.isAnswered)
        json.key("date")
        if let date = widget.date {
            json.beginObject()
            json.member("at", value: date.at)
            json.member("slot", value: date.slot)
            json.endObject()
        } else {
            json.null()
        }
        json.key("budget")
        if let budget = widget.budget {
            json.beginObject()
            json.member("used", value: budget.used)
            json.member("allowance", value: budget.allowance)
            json.member("reserve", value: budget.reserve)
            json.member("nextAt", value: budget.nextAt)
            json.endObject()
        } else {
            json.null()
        }
        json.member("shown", json: widget.inlinedValues)
        json.member("token", value: widget.controlTokenState?.rawValue)
        json.member("shownState", value: widget.valueState?.rawValue)
        json.endObject()
    }

    private static func write(_ decision: DecisionView, to json: inout JSONWriter) {
        json.beginObject()
        json.member("at", value: decision.at)
        json.member("widget", value: decision.widget)
        json.member("reason", value: decision.reason.name)
        json.member("cause", value: decision.cause.rawValue)
        json.member("until", value: decision.until)
        json.member("text", value: decision.text)
        json.endObject()
    }
}
