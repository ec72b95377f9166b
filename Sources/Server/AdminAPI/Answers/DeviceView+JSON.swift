package import Basics
package import RouterCore

/// One device, with its widgets and the latest decisions about them.
extension DeviceView: AdminBody {
    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("app", value: app)
            json.member("device", value: device)
            json.member("isPaused", value: isPaused)
            json.member("isOnline", value: connection != nil)
            json.member("connection", value: connection?.rawValue)
            json.object("session") { json in
                json.member("foreground", value: isForeground)
                json.member("media", value: media)
            }
            json.member("heardAt", value: heardAt)
            json.object("push", of: push) { push, json in push.writeMembers(to: &json) }
            json.objects("widgets", of: widgets) { widget, json in widget.writeMembers(to: &json) }
            json.objects("decisions", of: decisions) { decision, json in
                json.member("at", value: decision.at)
                json.member("widget", value: decision.widget)
                json.member("reason", value: decision.reason.name)
                json.member("cause", value: decision.cause.rawValue)
                json.member("until", value: decision.until)
                json.member("text", value: decision.text)
            }
        }
    }
}

extension APNsPushView {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("environment", value: environment.rawValue)
        json.member("isReached", value: channel != nil)
        json.member("channel", value: channel.map { "\($0)" })
        json.member("token", value: tokenState?.rawValue)
        json.member("appToken", value: appTokenState?.rawValue)
        json.member("registeredAt", value: registeredAt)
        json.member("isUnderWay", value: isUnderWay)
        json.member("used", value: used)
        json.member("cap", value: cap)
        json.member("waitsUntil", value: waits?.until)
        json.member("waitsFor", value: waits?.reason.name)
    }
}

extension WidgetView {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("widget", value: widget)
        json.member("kind", value: kind)
        json.member("configuration", json: configuration)
        json.member("stage", value: stage)
        json.member("cause", value: cause?.rawValue)
        json.member("waitsUntil", value: waitsUntil)
        json.member("lastReload", value: lastReload)
        json.member("lastReloadAt", value: lastReloadAt)
        json.member("isAnswered", value: isAnswered)
        json.object("date", of: date) { date, json in
            json.member("at", value: date.at)
            json.member("slot", value: date.slot)
        }
        json.object("budget", of: budget) { budget, json in
            json.member("used", value: budget.used)
            json.member("allowance", value: budget.allowance)
            json.member("reserve", value: budget.reserve)
            json.member("nextAt", value: budget.nextAt)
        }
        json.member("shown", json: inlinedValues)
        json.member("token", value: controlTokenState?.rawValue)
        json.member("shownState", value: valueState?.rawValue)
    }
}
