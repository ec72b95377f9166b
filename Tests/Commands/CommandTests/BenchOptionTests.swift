import ArgumentParser
import Testing

@testable import Benchmarks

@Suite("A benchmark")
struct BenchOptionTests {
    @Test(
        "refuses numbers with which it cannot measure, and names the option and its limits",
        arguments: [
            ("frames --connections 16 0", "--connections is 0; it must be from 1 to 20000"),
            ("frames --window=-1", "--window is -1; it must be from 1 to 10000000"),
            ("route --publishers 0", "--publishers is 0; it must be from 1 to 20000"),
            ("route --windows 480 0", "--windows is 0; it must be from 1 to 10000000"),
            ("route --widgets 0", "0 widgets on 100000 devices: there may be 1 to 1,000,000"),
            ("fanout --devices 0", "--devices is 0; it must be from 1 to 1000000"),
            (
                "route --widgets 10 --devices 10 --rate 11",
                "--rate is 11; it must be from 1 to 10"
            ),
            ("route --rate 0", "--rate is 0; it must be from 1 to 100000"),
            ("fairness --devices 0", "0 widgets on 0 devices: there may be 1 to 1,000,000"),
            ("memory --devices 0", "1000000 widgets on 0 devices: there may be 1 to 1,000,000"),
            ("store --publishers 0", "--publishers is 0; it must be from 1 to 8192"),
            ("store --widgets 1000001", "1000001 widgets on 100000 devices"),
            ("store --widgets 0", "0 widgets on 100000 devices: there may be 1 to 1,000,000"),
            ("store --devices 0", "1000000 widgets on 0 devices: there may be 1 to 1,000,000"),
            (
                "store --widgets 100 --devices 100 --rate 101",
                "--rate is 101; it must be from 1 to 100"
            ),
            ("store --window 0", "--window is 0; it must be from 1 to 10000000"),
            ("restart --widgets 0", "--widgets is 0; it must be from 1 to 50000000"),
            ("restart --widgets 1000 --widgets-per-device 7", "divide 1000, the widgets"),
            ("match --widgets 10", "--widgets is 10; it must be from 1000 to 100000000"),
            ("tls --devices 0", "--devices is 0; it must be from 1 to 20000"),
            ("publish --keys 1", "--keys is 1; it must be from 1000 to 16000000"),
            ("frames --seconds 0", "--seconds is 0.0; it must be from 0.01 to 600"),
            ("frames --repeat 0", "--repeat is 0; it must be from 1 to 1000"),
        ]
    )
    func impossibleNumbers(arguments: String, message: String) {
        let error = #expect(throws: (any Error).self) {
            try Bench.parseAsRoot(arguments.split(separator: " ").map(String.init))
        }
        let text = error.map { Bench.message(for: $0) } ?? ""
        #expect(text.contains(message), "\(text)")
    }

    @Test("of the store ends with a sentence if a window was too short for a push")
    func emptyWindow() throws {
        #expect(try EngineWindows.bytesPerPush(90, pushes: 2) == 45)
        for (byteCount, pushes) in [(0, 0), (0, 3), (90, 0)] {
            let error = #expect(throws: BenchFailure.self) {
                try EngineWindows.bytesPerPush(byteCount, pushes: pushes)
            }
            #expect(error?.description.contains("--seconds") == true)
        }
    }

    @Test("accepts what `bench all` runs it with", arguments: Bench.benchmarks.map { $0.plan.name })
    func catalog(name: String) throws {
        let plan = try #require(Bench.benchmarks.first { $0.plan.name == name }).plan
        for isQuick in [false, true] {
            _ = try Bench.parseAsRoot([name] + plan.arguments(quick: isQuick))
        }
    }
}
