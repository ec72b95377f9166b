/// What somebody wants a device to do who looks at its page.
package struct PageCommand: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
        /// Looks at a page of the screen; nil turns the screen off.
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
