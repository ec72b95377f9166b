package import ReloadModel

/// What all simulated devices of a fleet keep to.
package final class DeviceRules: Sendable {
    /// Who reloads a widget at the date of its timeline.
    package enum Timer: String, CaseIterable, Codable, Sendable {
        /// The router, at the date that it told.
        case router
        /// The device, at the date that the router told.
        case device
    }

    package let timer: Timer
    /// What the system grants each widget, whatever the router thinks of it.
    package let budget: BudgetPolicy
    /// What an extension may have in memory, in bytes; beyond, it is ended and its timeline lost.
    package let extensionMemory: Int
    /// How long a provider may take, in ms; beyond, its extension is ended.
    package let extensionTime: Int64
    /// How soon after a timeline's arrival a device reloads by itself, in ms.
    package static var leastInterval: Int64 { 300_000 }

    package init(
        timer: Timer = .router,
        budget: BudgetPolicy = .widget,
        extensionMemory: Int = 30 << 20,
        extensionTime: Int64 = 30_000
    ) {
        self.timer = timer
        self.budget = budget
        self.extensionMemory = extensionMemory
        self.extensionTime = extensionTime
    }
}
