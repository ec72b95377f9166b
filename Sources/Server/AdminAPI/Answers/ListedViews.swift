package import Basics
internal import Cryptography
package import RouterCore

// What lists say of the router's views.

/// The list of producers whose last push is known.
extension ProducerView: ListedEntry {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("app", value: app)
        json.member("producer", value: name)
        json.member("lastSeq", value: lastSeq)
        json.member("usedAt", value: usedAt)
        json.member("idleFor", value: idleFor)
        json.member("hasSession", value: hasSession)
    }
}

/// The list of an app's devices.
extension DeviceSummary: ListedEntry {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("device", value: device)
        json.member("widgets", value: widgets)
        json.member("isOnline", value: isOnline)
    }
}

/// The list of an app's push tokens to which APNs accepts nothing, in the order in which it became
/// known; each with the hash by which the app's own database finds it.
extension EndedTokenView: ListedEntry {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("number", value: number)
        json.member("device", value: device)
        json.member("channel", value: "\(channel)")
        json.member("widget", value: control?.widget)
        json.member("kind", value: control?.kind)
        json.member("tokenSHA256", value: token.withByteView { SHA256.digest($0).hexadecimal })
        json.member("environment", value: environment.rawValue)
        json.member("state", value: state.rawValue)
        json.member("reason", value: fault.appleName)
        json.member("since", value: since)
        json.member("registeredAt", value: registeredAt)
    }
}

/// The list of the devices whose tokens are revoked.
extension TokenRevocationView: ListedEntry {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("device", value: device)
        json.member("before", value: before)
    }
}

/// The list of origins, each with the numbers of requested and assigned reloads in each of the
/// coming seconds.
extension OriginView: ListedEntry {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("app", value: app)
        json.member("origin", value: origin)
        json.member("perSecond", value: perSecond)
        json.member("waiting", value: waiting)
        json.member("held", value: slotCount)
        json.member("secondsFrom", value: secondsFrom)
        json.list("asked", of: requested) { count, json in json.integer(Int64(count)) }
        json.list("given", of: assigned) { count, json in json.integer(Int64(count)) }
    }
}

/// The list of the keys by which the most pushes of about the last minute have found widgets.
extension HotKeyTotals: ListedEntry {
    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("app", value: app)
        json.member("kind", value: kind)
        json.member("key", value: key)
        json.member("pushes", value: pushes)
        json.member("matched", value: matched)
    }
}
