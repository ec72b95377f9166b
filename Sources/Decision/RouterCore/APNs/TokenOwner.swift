internal import Basics

/// Whose a push token is: the widgets' of a device, its app's, or one of its controls'.
struct TokenOwner: BitwiseCopyable {
    /// The device.
    var device: DeviceID
    /// The control; none unless the channel is `controls`.
    var control = WidgetID.none
    /// The channel of pushes to the token.
    var channel: APNsChannel

    /// The widgets of a device.
    static func widgets(of device: DeviceID) -> TokenOwner {
        TokenOwner(device: device, channel: .widgets)
    }

    /// The app on a device.
    static func app(of device: DeviceID) -> TokenOwner {
        TokenOwner(device: device, channel: .background)
    }

    /// A control of a device.
    static func control(_ control: WidgetID, of device: DeviceID) -> TokenOwner {
        TokenOwner(device: device, control: control, channel: .controls)
    }
}
