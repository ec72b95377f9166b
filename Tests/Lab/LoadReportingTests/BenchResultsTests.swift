import Testing

@testable import LoadReporting

@Suite("The results of benchmarks")
struct BenchResultsTests {
    private static let machine = MachineDescription(
        cpuinfo: "processor\t: 0\nmodel name\t: Some CPU @ 3 GHz\n\nmodel name\t: Some CPU\n",
        meminfo: "MemTotal:       16777216 kB\nMemFree: 1 kB\n",
        system: "Linux 6.1",
        cores: 2
    )

    private func results(_ runs: [[BenchFigure]]) -> BenchResults {
        var results = BenchResults(
            machine: Self.machine,
            program: "reload-router 0.1.0",
            command: "reload-lab bench all",
            startedAt: 1_800_000_000_000,
            runs: runs.count
        )
        results.benchmarks = [
            BenchResults.Benchmark(
                name: "route",
                what: "pushes",
                arguments: ["--widgets", "10"],
                seconds: 1,
                runs: runs
            )
        ]
        return results
    }

    private func cpu(_ value: Double, _ reference: Double? = 100) -> BenchFigure {
        BenchFigure(
            "route.cpu",
            value: value,
            unit: "ns/push",
            reference: reference,
            aim: .ratio(1.5)
        )
    }

    @Test func `A machine is reported by its processor, memory and system`() {
        #expect(Self.machine.text == "Some CPU @ 3 GHz, 2 cores, 16.0 GiB, Linux 6.1")
        let strange = MachineDescription(cpuinfo: "", meminfo: "", system: "x", cores: 1)
        #expect(strange.processor == "unknown" && strange.memoryBytes == 0)
    }

    @Test func `A figure is a line of JSON and back, also one that is no number`() throws {
        let figures = [
            cpu(120.123_4), cpu(.nan, nil),
            BenchFigure("a.rate", value: 1, unit: "pushes/s", aim: .least(5)),
        ]
        for figure in figures {
            let again = try BenchFigure(json: figure.json)
            #expect(again.name == figure.name && again.aim == figure.aim)
            #expect(again.better == figure.better)
            #expect(again.value.isNaN == figure.value.isNaN)
            #expect(again.reference == figure.reference)
        }
        #expect(
            cpu(120).json
                == #"{"aim":{"ratio":{"_0":1.5}},"better":"lower","name":"route.cpu","ratio":1.2,"#
                + #""reference":100,"unit":"ns/push","value":120}"#
        )
        #expect(cpu(.nan, nil).json.contains(#""value":null"#))
        #expect(throws: ReportProblem("this is not a figure: {}")) { try BenchFigure(json: "{}") }
    }

    @Test func `Runs become their median and how far they lie apart, each beside its reference`() {
        let figure = results([
            [cpu(120, 100)], [cpu(400, 200)], [cpu(150, 300)],
        ]).benchmarks[0].figures[0]
        #expect(figure.value == BenchResults.Spread([120, 150, 400]))
        #expect(figure.value.median == 150 && figure.value.low == 120 && figure.value.high == 400)
        // 1.2, 2, 0.5: not the ratio of the medians.
        #expect(figure.ratio?.median == 1.2 && figure.isMet == true)
        #expect(BenchResults.Spread([1, 2, 3, 4]).median == 2.5)
    }

    @Test func `A figure that not every run has is left out`() {
        let other = BenchFigure("route.memory", value: 5, unit: "bytes")
        let figures = results([[cpu(1), other], [cpu(1)]]).benchmarks[0].figures
        #expect(figures.map(\.name) == ["route.cpu"])
    }

    @Test func `Results are the same after they were written`() throws {
        let results = results([[cpu(120)], [cpu(130)]])
        #expect(try BenchResults(json: results.json(), named: "x") == results)
        #expect(throws: ReportProblem.self) { try BenchResults(json: "{}", named: "x") }
        var newer = results
        newer.version = 2
        let text = try newer.json()
        #expect(throws: ReportProblem("new.json is of version 2; this program knows 1")) {
            try BenchResults(json: text, named: "new.json")
        }
    }

    @Test func `Tables say what was measured, on what, when and how`() {
        let results = results([[cpu(120)], [cpu(180)]])
        for part in [
            "Some CPU @ 3 GHz, 2 cores, 16.0 GiB, Linux 6.1", "2027-01-15T08:00:00Z",
            "`reload-lab bench all`", "`reload-lab bench route --widgets 10`",
            "| route.cpu | 150 | 120 – 180 | ns/push | 100 | 1.50 | 1.20 – 1.80 | ratio <= 1.50: met",
        ] {
            #expect(results.markdown.contains(part), "\(part)\n\(results.markdown)")
        }
        #expect(results.text.contains("route.cpu"))
    }

    // MARK: - Comparing

    private func compare(_ before: [Double], _ after: [Double]) -> BenchComparison {
        BenchComparison(
            results(before.map { [cpu($0)] }),
            current: results(after.map { [cpu($0)] }),
            bound: 1.2
        )
    }

    @Test func `A ratio that is worse than the bound is found`() {
        let comparison = compare([100, 101, 102], [130, 131, 132])
        #expect(comparison.worse.map(\.name) == ["route.cpu"] && !comparison.isAcceptable)
        #expect(comparison.text.contains("WORSE"))
        #expect(compare([100, 101, 102], [115, 116, 117]).isAcceptable)
        #expect(compare([130], [100]).isAcceptable)
    }

    @Test func `One good run shows that the others were disturbed`() {
        #expect(compare([100, 100, 100], [105, 150, 160]).isAcceptable)
    }

    @Test func `A rate is worse when it is lower`() {
        func rate(_ value: Double) -> BenchResults {
            results([[BenchFigure("route.rate", value: value, unit: "pushes/s", reference: 100)]])
        }
        #expect(!BenchComparison(rate(90), current: rate(60), bound: 1.2).isAcceptable)
        #expect(BenchComparison(rate(60), current: rate(90), bound: 1.2).isAcceptable)
    }

    @Test func `Times without a reference are of their machine, bytes are not`() {
        func figure(_ value: Double, _ unit: String) -> BenchResults {
            results([[BenchFigure("x.figure", value: value, unit: unit)]])
        }
        #expect(BenchComparison(figure(1, "ns"), current: figure(9, "ns"), bound: 1.2).rows.isEmpty)
        let (few, many) = (figure(1, "bytes/widget"), figure(9, "bytes/widget"))
        #expect(!BenchComparison(few, current: many, bound: 1.2).isAcceptable)
    }

    @Test func `A figure that is gone is not passed over`() {
        let comparison = BenchComparison(results([[cpu(1)]]), current: results([[]]), bound: 1.2)
        #expect(comparison.missing == ["route.cpu"] && !comparison.isAcceptable)
        #expect(comparison.text.contains("route.cpu was not measured"))
    }
}
