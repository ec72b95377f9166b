/// A command that was given on the page of a device.
package struct PageCommand: Equatable, Sendable {
    /// What the device should do.
    package enum Action: Equatable, Sendable {
        /// Turns to a page of the screen; nil turns the screen off.
        case look(page: Int?)
        case setOnline(Bool)
        /// Opens or leaves the app.
        case setForeground(Bool)
    }

    package let device: String
    package let action: Action

    package init(device: String, action: Action) {
        self.device = device
        self.action = action
    }
}
