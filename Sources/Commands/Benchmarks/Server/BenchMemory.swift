import ArgumentParser
import LoadReporting

/// `bench memory`: measures the router's resident bytes per stored widget.
struct BenchMemory: Benchmark {
    static let plan = BenchPlan(
        name: "memory",
        what: "resident bytes per stored widget",
        aim: "at most 250 bytes",
        discussion: "Of the router's process, with everything that belongs to a widget's device.",
        quick: "--widgets 10000 --devices 1000"
    )

    @OptionGroup var options: BenchOptions
    @OptionGroup var stored: BenchWidgets

    func measure(_ run: BenchRun) throws {
        let population = try stored.population
        let (_, window, grown) = try population.register(run.router())
        let bytes = Double(grown) / Double(population.widgets)
        run.add("widget", value: bytes, unit: "bytes/widget", aim: .value(250))
        run.add("register.cpu", of: [[window]], as: \.cpu, unit: "ns/widget")
        run.add("register.rate", of: [[window]], as: \.rate, unit: "widgets/s")
    }
}
