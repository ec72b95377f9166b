internal import Basics

/// A rule that a run has broken; the run stops there. These are the rules:
///
///     dates      no RELOAD for a date before that date
///     matches    no RELOAD without an open cause; pushes match exactly the widgets that they name
///     budget     no widget is charged more in 24 hours than its views allow
///     spacing    charged reloads of a widget are as far apart as its kind requires
///     reasons    every cause ends in a RELOAD, or with a reason that the router counts
///     bounded    pending causes never exceed the number of widgets
///     slots      the slots in the ledgers are those that widgets have
///     tables     all tables of the router agree with each other
///     protocol   every frame that the router sends is valid and was sent to the right device
package struct Violation: Error, Equatable, Sendable {
    /// The rule's name.
    var rule: String
    /// What happened, as a sentence.
    var text: String
    /// The number of the device concerned; nil if there is no single one.
    var device: UInt32?
    /// The number of the widget in the fleet; nil if there is no single one.
    var widget: UInt32?

    init(_ rule: String, text: String, device: UInt32? = nil, widget: UInt32? = nil) {
        self.rule = rule
        self.text = text
        self.device = device
        self.widget = widget
    }
}

/// A violation with its subject and time, and the command that reproduces it.
package struct SimulationFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The rule, and what happened.
    var violation: Violation
    /// The options of the run.
    var options: SimulationOptions
    /// The mode of spreading, as `--mode` names it.
    var mode: String
    /// The simulated date.
    var wall: WallTime
    /// The device, and the widget with its kind, as the beginning of a sentence; empty if there is
    /// no single one.
    var subject: String

    /// The rule, what happened, where and when, and the command that repeats the run.
    package var description: String {
        "\(violation.rule): \(subject)\(violation.text)\n"
            + "seed \(options.seed), mode \(mode), at \(SimulatedTime.text(wall)) (\(wall))\n"
            + "again: \(command)"
    }

    private var command: String {
        "reload-lab simulate --devices \(options.devices) --hours \(options.hours) "
            + "--from \(options.firstHour) --seed \(options.seed) --mode \(mode)"
    }
}
