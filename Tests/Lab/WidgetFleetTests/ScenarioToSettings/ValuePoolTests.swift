import Basics
import Testing

@testable import WidgetFleet

@Suite("Values that are drawn")
struct ValuePoolTests {
    private func draws(_ pool: ValuePool, _ count: Int = 2_000) -> [JSONValue] {
        var random = SplitMix64(seed: 1, stream: 1)
        return (0..<count).map { _ in pool.draw(&random) }
    }

    @Test func `Every value of a pool is drawn, and no other`() {
        let numbered = Set(draws(.numbered(prefix: "elf-", count: 3)).map(text))
        #expect(numbered == ["elf-0", "elf-1", "elf-2"])
        #expect(Set(draws(.texts(["a", "b"])).map(text)) == ["a", "b"])
        #expect(Set(draws(.integers(-1...1)).map(text)) == ["-1", "0", "1"])
        #expect(draws(.integers(.min ... .max)).count == 2_000)
        #expect(draws(.texts(["only"]), 1) == [.string("only")])
    }

    @Test func `A push has the same value wherever a variable stands`() {
        let pools: [String: ValuePool] = [
            "team": .numbered(prefix: "team-", count: 1_000), "goals": .integers(0...1_000),
        ]
        let payload = JSONValue.object([
            "team": .string("${team}"), "teams": .list([.string("${team}"), .string("${goals}")]),
            "goals": .string("${goals}"),
        ])
        var random = SplitMix64(seed: 1, stream: 1)
        var seen: Set<String> = []
        for _ in 0..<50 {
            let drawn = payload.drawn(from: pools.drawn(&random), using: &random)
            guard let team = drawn.member("team"), let goals = drawn.member("goals") else {
                continue
            }
            #expect(drawn.member("teams") == .list([team, goals]))
            seen.insert("\(team) \(goals)")
        }
        #expect(seen.count > 40)
    }

    @Test func `Each value is drawn about as often as any other`() {
        let drawn = draws(.numbered(prefix: "", count: 10), 10_000)
        for number in 0..<10 {
            let count = drawn.count { $0 == .string("\(number)") }
            #expect((850...1_150).contains(count), "\(number): \(count)")
        }
    }

    private let pools: [String: ValuePool] = ["hp": .integers(7...7), "name": .texts(["elf"])]

    private func drawn(_ value: JSONValue) -> JSONValue {
        var random = SplitMix64(seed: 1, stream: 1)
        return value.drawn(from: pools, using: &random)
    }

    @Test func `Variables are drawn at any depth, and keep the type of their pool`() {
        let value = JSONValue.object([
            "a": .string("${hp}"),
            "b": .list([.string("${name}"), .object(["c": .string("${hp}")])]),
        ])
        #expect(
            drawn(value)
                == .object([
                    "a": .integer(7), "b": .list([.string("elf"), .object(["c": .integer(7)])]),
                ])
        )
    }

    @Test(arguments: ["hp", "$hp", "${hp", "{hp}", " ${hp}", "${hp} ", "${other}", "", "${", "}"])
    func `Text that is no variable of a pool stays as it is`(text: String) {
        #expect(drawn(.string(text)) == .string(text))
    }

    @Test(arguments: [.null, .boolean(true), .integer(3), .double(0.5)] as [JSONValue])
    func `What is no text stays as it is`(value: JSONValue) {
        #expect(drawn(value) == value)
    }

    @Test func `The members of an object are drawn in the order of their names`() {
        let pools: [String: ValuePool] = ["x": .integers(0...1_000_000)]
        let names = (0..<20).map { "m\($0)" }
        let object = JSONValue.object(
            Dictionary(uniqueKeysWithValues: names.map { ($0, .string("${x}")) })
        )
        var random = SplitMix64(seed: 9, stream: 1)
        let first = object.drawn(from: pools, using: &random)
        random = SplitMix64(seed: 9, stream: 1)
        let expected = names.sorted().map { name in (name, pools["x"]!.draw(&random)) }
        #expect(first == .object(Dictionary(uniqueKeysWithValues: expected)))
    }

    @Test func `Values are written with the members of objects in order`() {
        let value = JSONValue.object([
            "z": .null, "b": .list([.boolean(false), .integer(-3), .double(0.25)]),
            "a": .string("\"é\n"),
        ])
        #expect(text(value) == #"{"a":"\"é\n","b":[false,-3,0.25],"z":null}"#)
    }

    private func text(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        return value.text
    }
}

@Suite("Numbers that a seed determines")
struct SplitMix64StreamTests {
    @Test func `A seed and a stream give the same numbers again, and others give others`() {
        let numbers = { (seed: UInt64, stream: UInt64) in
            var random = SplitMix64(seed: seed, stream: stream)
            return (0..<4).map { _ in random.next() }
        }
        #expect(numbers(1, 1) == numbers(1, 1))
        let all = [numbers(1, 1), numbers(1, 2), numbers(2, 1), numbers(2, 2), numbers(0, 0)]
        #expect(Set(all).count == 5)
        #expect(Set(all.joined()).count == 20)
    }

    @Test func `Pauses have their mean, and are never negative`() {
        var random = SplitMix64(seed: 3, stream: 0)
        var sum = 0.0
        for _ in 0..<100_000 {
            let pause = random.exponential(mean: 30)
            #expect(pause >= 0 && pause.isFinite)
            sum += pause
        }
        #expect((29.5...30.5).contains(sum / 100_000))
    }
}
