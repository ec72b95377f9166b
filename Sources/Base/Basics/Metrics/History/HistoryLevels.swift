/// What there is at one moment: connections, and reloads that wait.
package struct HistoryLevels: Equatable, Sendable, BitwiseCopyable {
    /// Connections of publishers.
    package var publishers: UInt32 = 0
    /// Connections of devices.
    package var devices: UInt32 = 0
    /// Connections of gateways.
    package var gateways: UInt32 = 0
    /// Reloads that wait, whatever for.
    package var pending: UInt32 = 0

    /// Makes levels that are all 0.
    package init() {}
}
