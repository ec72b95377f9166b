/// A rule that a run has broken: it stops there.
package struct Violation: Error, Equatable, Sendable {
    /// The rule's name, such as `dates`.
    package var rule: String
    /// What happened, as a sentence.
    package var text: String
    package var device: UInt32?
    package var widget: UInt32?

    init(_ rule: String, _ text: String, device: UInt32? = nil, widget: UInt32? = nil) {
        self.rule = rule
        self.text = text
        self.device = device
        self.widget = widget
    }
}

/// Where and when a run broke a rule, and how to see it again.
package struct SimulationFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package var violation: Violation
    package var options: SimulationOptions
    package var mode: String
    /// Milliseconds since 1970, in the simulated world.
    package var wall: Int64
    /// The widget's id on its device, and its kind.
    package var place: String

    package var description: String {
        "\(violation.rule): \(place)\(violation.text)\n"
            + "seed \(options.seed), mode \(mode), at \(SimulatedTime.text(wall)) (\(wall))\n"
            + "again: \(command)"
    }

    private var command: String {
        "reload-router simulate --devices \(options.devices) --hours \(options.hours) "
            + "--from \(options.firstHour) --seed \(options.seed) --mode \(mode)"
    }
}
