internal import ArgumentParser
internal import Dispatch
internal import Foundation
public import WidgetTimelines

extension WidgetBundle {
    /// Plays a fleet of devices with the bundle's widgets against a router, and ends the program.
    ///
    ///     import SwiftUI
    ///     import WidgetKit
    ///
    ///     @main struct MyWidgets: WidgetBundle {
    ///         var body: some Widget { … }
    ///     }
    ///
    /// The program's arguments are those of `reload-lab fleet`: a scenario, `--to` and so on. The
    /// scenario's `bundle` is the type's name.
    public static func main() { FleetProgram.run("\(Self.self)", declarations: declarations) }
}

extension Widget {
    /// Plays a fleet of devices with the widget against a router, and ends the program.
    ///
    /// The program's arguments are those of `reload-lab fleet`. The scenario's `bundle` is the
    /// type's name.
    public static func main() { FleetProgram.run("\(Self.self)", declarations: declarations) }
}

/// A program that plays a fleet with widgets of its own.
private enum FleetProgram {
    /// Plays the fleet that the program's arguments describe, and ends the program.
    ///
    /// On iOS, `main` of a bundle is not asynchronous, and code calls it from a `main` of its own;
    /// so the fleet runs in a task, and this thread runs the code of the main actor meanwhile.
    static func run(_ name: String, declarations: [WidgetDeclaration]) -> Never {
        nonisolated(unsafe) let declarations = declarations
        Task.detached {
            do {
                let options = try FleetOptions.parse()
                let bundles = unsafe [name: declarations]
                let runner = FleetRunner(options, bundles: bundles)
                FleetOptions.exit(withError: try await runner.run() ? nil : ExitCode(2))
            } catch {
                FleetOptions.exit(withError: error)
            }
        }
        dispatchMain()
    }
}
