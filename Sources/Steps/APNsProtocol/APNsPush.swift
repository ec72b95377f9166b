package import Basics

/// One push to one device.
package struct APNsPush {
    /// The push token, as hexadecimal digits.
    package var token: ByteView
    /// What the push does.
    package var type: APNsPushType
    /// The topic, which `type` makes of the bundle identifier.
    package var topic: ByteView
    /// When Apple gives up to deliver it; at `zero` there is one attempt.
    package var expiration: WallTime
    /// Whether the device may be woken for it.
    package var isUrgent: Bool
    /// What the push is called, in the log and in Apple's: a UUID.
    package var id: APNsID
    /// The payload.
    package var payload: ByteView

    /// A push.
    package init(
        token: ByteView,
        type: APNsPushType,
        topic: ByteView,
        expiration: WallTime,
        isUrgent: Bool,
        id: APNsID,
        payload: ByteView
    ) {
        self.token = token
        self.type = type
        self.topic = topic
        self.expiration = expiration
        self.isUrgent = isUrgent
        self.id = id
        self.payload = payload
    }
}
