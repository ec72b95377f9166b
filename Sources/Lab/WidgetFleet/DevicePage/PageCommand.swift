/// A command that was given on the page of a device.
package struct PageCommand: Equatable, Sendable {
    /// What the device should do.
    package enum Action: Equatable, Sendable {
        /// Turns to a page of the screen; nil turns the screen off.
        case look(page: Int?)
        /// Connects the device with the network, or takes the network away.
        case setOnline(Bool)
        /// Opens or leaves the app.
        case setForeground(Bool)
    }

    /// The name of the device.
    package let device: String
    /// What the device should do.
    package let action: Action

    /// Makes a command for a device.
    package init(device: String, action: Action) {
        self.device = device
        self.action = action
    }
}
