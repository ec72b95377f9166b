internal import ArgumentParser
public import WidgetTimelines

extension WidgetBundle {
    /// Plays a fleet of devices with the bundle's widgets against a router.
    ///
    ///     import WidgetFleet
    ///     import WidgetTimelines
    ///
    ///     @main struct MyWidgets: WidgetBundle {
    ///         var body: some Widget { … }
    ///     }
    ///
    /// The program's arguments are those of `reload-lab fleet`: a scenario, `--to` and so on. The
    /// scenario's `bundle` is the type's name.
    ///
    /// It is `@concurrent`, so that it does not run on its caller's actor: `@main` would not accept
    /// it otherwise.
    @concurrent public static func main() async {
        do {
            let options = try FleetOptions.parse()
            try await FleetRunner(
                options,
                bundles: ["\(Self.self)": declarations],
                startRouter: nil
            ).run()
        } catch {
            FleetOptions.exit(withError: error)
        }
    }
}
