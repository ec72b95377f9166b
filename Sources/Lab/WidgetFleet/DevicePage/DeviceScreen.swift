/// The screen of a device at one moment, as its page gets it.
struct DeviceScreen: Equatable {
    /// The device's name.
    let device: String
    /// The number of its pages.
    let pages: Int
    /// The device's clock, in ms since 1970.
    let now: Int64
    /// All else that the page shows, as a JSON object; empty if that is outdated.
    var content: String

    /// The JSON object of all.
    var json: String { "{\"now\":\(now)," + content.dropFirst() }
}

/// A command that was given on the page of a device.
struct PageCommand {
    enum Action: Equatable {
        /// Turns to a page of the screen; nil turns the screen off.
        case look(page: Int?)
        /// Connects the device with the network, or takes the network away.
        case setOnline(Bool)
        /// Opens or leaves the app.
        case setForeground(Bool)
    }

    /// The name of the device.
    let device: String
    let action: Action
}
