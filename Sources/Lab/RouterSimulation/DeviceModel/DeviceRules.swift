package import Basics

/// The settings and limits that all simulated devices of a fleet share.
package final class DeviceRules: Sendable {
    /// Which side reloads a widget at the date of its timeline: the router or the device.
    package enum Timer: String, CaseIterable, Codable, Sendable {
        /// The router sends RELOAD at the date that it has assigned.
        case router
        /// The device reloads by itself at the date that the router has assigned.
        case device
    }

    /// Whether the router or the device reloads a widget at the date of its timeline.
    package let timer: Timer
    /// The reload budget that the device's system gives each widget, independent of the router's.
    package let budget: BudgetPolicy
    /// The most memory of an extension, in bytes. An extension that takes more is ended, and its
    /// timeline is lost.
    package let extensionMemory: Int
    /// The longest time that a provider may take. After that, its extension is ended.
    package let extensionTime: Milliseconds
    /// The shortest time between a timeline's arrival and the device's next reload by
    /// itself, unless the router has assigned a date; also the pause before a lost timeline is
    /// requested again.
    package static var leastInterval: Milliseconds { .minutes(5) }

    /// Makes rules; the defaults are those of WidgetKit.
    package init(
        timer: Timer = .router,
        budget: BudgetPolicy = .widget,
        extensionMemory: Int = 30 << 20,
        extensionTime: Milliseconds = .seconds(30)
    ) {
        self.timer = timer
        self.budget = budget
        self.extensionMemory = extensionMemory
        self.extensionTime = extensionTime
    }
}
