import Basics
import Foundation
import LoadReporting
import TestSupport
import Testing

@testable import WidgetFleet

@Suite("A scenario as JSON")
struct FleetScenarioTests {
    /// Every member that there is.
    static let whole = #"""
        {"name":"all","app":"com.mygame","apps":"apps.json","bundle":"game","devices":1000,
         "seconds":60.5,"ramp":2,
         "values":{"character":{"prefix":"elf-","count":500},"hp":{"from":-1,"to":99},
                   "region":["marsh","coast"]},
         "widgets":[{"kind":"a","family":"systemLarge","share":0.5,"page":1,
                     "configuration":{"character":"${character}","deep":["${hp}",1.5,true]}},
                    {"kind":"b"}],
         "habits":{"looks":{"perHour":60,"seconds":5},"foreground":{"perHour":1},
                   "audio":{"perHour":0.5,"seconds":10},"offline":{"perHour":2,"seconds":20},
                   "movesPerHour":0.5,"breaksPerHour":0.1},
         "pushes":[{"from":1,"to":9,"perSecond":20,"payload":{"character":"${character}"},
                    "urgentPercent":10,"expires":5,"kinds":["b","a"],
                    "concerns":[{"kind":"a","by":"character"},{"kind":"b"}]},
                   {"count":3,"payload":{}}],
         "origin":{"capacity":500,"queue":10,"latency":5,"url":"http://localhost:80",
                   "pools":{"character":{"hp":[1,9],"at":{"secondsAfterRamp":-3.5}}}},
         "system":{"timer":"device","budget":"complication","extensionMegabytes":40},
         "thresholds":{"push to screen":{"p99":"5 s","max":"1500ms"},"not shown":{"lost":0}}}
        """#

    @Test func `A scenario may have every member, and each is read`() throws {
        let scenario = try FleetScenario(json: Data(Self.whole.utf8))
        #expect(scenario.name == "all" && scenario.apps == "apps.json")
        #expect(scenario.devices == 1_000 && scenario.seconds == 60.5)
        #expect(scenario.rampSeconds == 2)
        #expect(scenario.widgets.map(\.kind) == ["a", "b"])
        #expect(scenario.widgets[0].share == 0.5 && scenario.widgets[0].page == 1)
        #expect(
            scenario.widgets[0].configuration["deep"]
                == .list([.string("${hp}"), .double(1.5), .boolean(true)])
        )
        #expect(scenario.habits.looks.perHour == 60 && scenario.habits.audio.seconds == 10)
        #expect(scenario.habits.movesPerHour == 0.5 && scenario.habits.breaksPerHour == 0.1)
        #expect(scenario.pushes[0].from == 1 && scenario.pushes[0].to == 9)
        #expect(scenario.pushes[0].urgentPercent == 10 && scenario.pushes[0].expires == 5)
        #expect(scenario.pushes[0].concerns?.map(\.by) == ["character", nil])
        #expect(scenario.pushes[0].kinds == ["b", "a"] && scenario.pushes[1].kinds == nil)
        #expect(scenario.pushes[1].count == 3 && scenario.pushes[1].payload == .object([:]))
        #expect(scenario.origin.capacity == 500 && scenario.origin.queue == 10)
        #expect(scenario.origin.url == "http://localhost:80")
        #expect(
            scenario.origin.pools["character"] == [
                "hp": .number(1...9), "at": .secondsAfterRamp(-3.5),
            ]
        )
        #expect(scenario.system.timer == "device" && scenario.system.budget == "complication")
        #expect(scenario.system.extensionMegabytes == 40)
        #expect(scenario.thresholds.map(\.part).suffix(2) == ["push to screen", "not shown"])
        #expect(scenario.thresholds.map(\.figure) == ["p99", "max", "lost"])
        #expect(scenario.thresholds.map(\.limit) == [5_000, 1_500, 0])
    }

    @Test func `What is left away is what most fleets have`() throws {
        let scenario = try FleetScenario(
            json: Data(
                #"{"name":"n","app":"a","bundle":"b","devices":20000,"seconds":1,"widgets":[{"kind":"k"}]}"#
                    .utf8
            )
        )
        #expect(scenario.rampSeconds == 4)
        #expect(scenario.widgets[0].share == 1 && scenario.widgets[0].family == "systemSmall")
        #expect(scenario.pushes.isEmpty && scenario.values.isEmpty && scenario.apps == nil)
        #expect(scenario.habits.looks.perHour == 0 && scenario.habits.looks.seconds == 30)
        #expect(scenario.origin.capacity == nil && scenario.origin.latency == 20)
        #expect(scenario.system.timer == "router" && scenario.system.budget == "widget")
        #expect(scenario.system.extensionMegabytes == 30)
    }

    @Test(arguments: [
        (#""devices":1000"#, "devices", ""),
        (#""count":500"#, "count", "values.character"),
        (#""to":99"#, "to", "values.hp"),
        (#""kind":"a","family""#, "kind", "widgets[0]"),
        (#""perHour":60"#, "perHour", "habits.looks"),
        (#""payload":{}"#, "payload", "pushes[1]"),
        (#""kind":"b"}]}"#, "kind", "pushes[0].concerns[1]"),
        (#""secondsAfterRamp""#, "secondsAfterRamp", "origin.pools.character.at"),
    ])
    func `A member that is needed and misspelt is missing, and its location is reported`(
        text: String,
        member: String,
        location: String
    ) {
        let json = Self.whole.replacing(text, with: text.replacing("\"\(member)\"", with: "\"x\""))
        let start = location.isEmpty ? "" : "\(location): "
        #expect(problem(json) == "\(start)\"\(member)\" is missing")
    }

    @Test(arguments: [
        ("ramp", ""), ("values", ""), ("apps", ""), ("habits", ""), ("pushes", ""), ("origin", ""),
        ("system", ""), ("share", "widgets[0]"), ("family", "widgets[0]"), ("page", "widgets[0]"),
        ("configuration", "widgets[0]"), ("audio", "habits"), ("movesPerHour", "habits"),
        ("breaksPerHour", "habits"), ("urgentPercent", "pushes[0]"), ("expires", "pushes[0]"),
        ("kinds", "pushes[0]"), ("concerns", "pushes[0]"), ("by", "pushes[0].concerns[0]"),
        ("capacity", "origin"),
        ("queue", "origin"), ("latency", "origin"), ("url", "origin"), ("pools", "origin"),
        ("timer", "system"), ("budget", "system"), ("extensionMegabytes", "system"),
        ("push to screen", "thresholds"), ("p99", "thresholds.push to screen"),
        ("lost", "thresholds.not shown"),
    ])
    func `A member that may be left away is not passed over when it is misspelt`(
        member: String,
        location: String
    ) throws {
        // The first one of that name is the one that is meant.
        let json = Self.whole.replacing(
            "\"\(member)\":",
            with: "\"\(member)X\":",
            maxReplacements: 1
        )
        #expect(json != Self.whole)
        let found = try #require(problem(json))
        let start = location.isEmpty ? "" : "\(location): "
        #expect(
            found.hasPrefix("\(start)there is no member \"\(member)X\"; there are "),
            "\(found)"
        )
    }

    @Test(arguments: [
        (#""name":"all""#, #""name":7"#, "name"),
        (#""devices":1000"#, #""devices":"many""#, "devices"),
        (#""devices":1000"#, #""devices":1.5"#, "devices"),
        (#""devices":1000"#, #""devices":null"#, "devices"),
        (#""seconds":60.5"#, #""seconds":true"#, "seconds"),
        (#""count":500"#, #""count":"x""#, "values.character.count"),
        (#""from":-1"#, #""from":0.5"#, "values.hp.from"),
        (#"["marsh","coast"]"#, #"["marsh",7]"#, "values.region[1]"),
        (#""share":0.5"#, #""share":"half""#, "widgets[0].share"),
        (#""family":"systemLarge""#, #""family":[]"#, "widgets[0].family"),
        (#"{"kind":"b"}],"#, #"7],"#, "widgets[1]"),
        (#""looks":{"perHour":60,"seconds":5}"#, #""looks":60"#, "habits.looks"),
        (#""perSecond":20"#, #""perSecond":{}"#, "pushes[0].perSecond"),
        (#""by":"character""#, #""by":1"#, "pushes[0].concerns[0].by"),
        (#"["b","a"]"#, #""a""#, "pushes[0].kinds"),
        (#"[1,9]"#, #"[1,9,10]"#, "origin.pools.character.hp"),
        (#"[1,9]"#, #"[9,1]"#, "origin.pools.character.hp"),
        (#"[1,9]"#, #"[1,9.5]"#, "origin.pools.character.hp[1]"),
        (#"[1,9]"#, #"[1,"9"]"#, "origin.pools.character.hp[1]"),
        (#"[1,9]"#, #""nine""#, "origin.pools.character.hp"),
        (#""capacity":500"#, #""capacity":"500""#, "origin.capacity"),
        (#""timer":"device""#, #""timer":0"#, "system.timer"),
        (#""p99":"5 s""#, #""p99":5"#, "thresholds.push to screen.p99"),
        (#""lost":0"#, #""lost":"0""#, "thresholds.not shown.lost"),
    ])
    func `A value of another type is refused, with its location`(
        text: String,
        with other: String,
        location: String
    ) throws {
        #expect(Self.whole.contains(text))
        let found = try #require(problem(Self.whole.replacing(text, with: other)))
        #expect(found.hasPrefix("\(location): "), "\(found)")
    }

    @Test(arguments: [
        (#""devices":1000"#, #""devices":0"#, "devices: 0 is not within 1 and 1000000"),
        (#""devices":1000"#, #""devices":1000001"#, "devices: 1000001 is not within"),
        (#""seconds":60.5"#, #""seconds":0.9"#, "seconds: 0.9 is not within"),
        (#""seconds":60.5"#, #""seconds":1e9"#, "seconds: "),
        (#""ramp":2"#, #""ramp":-1"#, "ramp: -1.0 is not within"),
        (#""count":500"#, #""count":0"#, "values.character.count: 0 is not within"),
        (#"["marsh","coast"]"#, "[]", "values.region: the list is empty"),
        (#"{"from":-1,"to":99}"#, #"{"from":2,"to":1}"#, "values.hp: \"from\" is 2, above"),
        (#""family":"systemLarge""#, #""family":"huge""#, "widgets[0].family: \"huge\" is none of"),
        (#""share":0.5"#, #""share":1.01"#, "widgets[0].share: 1.01 is not within"),
        (#""page":1"#, #""page":64"#, "widgets[0].page: 64 is not within"),
        (
            #""character":"${character}","deep""#, #""character":"${hero}","deep""#,
            "widgets[0].configuration.character: \"values\" has no \"hero\""
        ),
        (
            #"["${hp}",1.5"#, #"["${}",1.5"#,
            "widgets[0].configuration.deep[0]: \"values\" has no \"\""
        ),
        (#""perHour":60"#, #""perHour":3601"#, "habits.looks.perHour: 3601.0 is not within"),
        (#""seconds":10}"#, #""seconds":0}"#, "habits.audio.seconds: 0.0 is not within"),
        (#""movesPerHour":0.5"#, #""movesPerHour":-1"#, "habits.movesPerHour: -1.0"),
        (#""breaksPerHour":0.1"#, #""breaksPerHour":4000"#, "habits.breaksPerHour: 4000.0"),
        (#""from":1,"to":9"#, #""from":10,"to":9"#, "pushes[0].to: 9.0 is not within 10.0"),
        (#""from":1,"to":9"#, #""from":-1,"to":9"#, "pushes[0].from: -1.0"),
        (#""perSecond":20"#, #""perSecond":1e8"#, "pushes[0].perSecond: "),
        (
            #""perSecond":20"#, #""perSecond":20,"count":1"#,
            "pushes[0]: it must have \"perSecond\" or"
        ),
        (#"{"count":3,"#, "{", "pushes[1]: it must have \"perSecond\" or"),
        (#""count":3"#, #""count":3,"to":9"#, "pushes[1]: \"to\" has no effect beside"),
        (#"["b","a"]"#, #"["b","A"]"#, "pushes[0].kinds[1]: no widget has the kind \"A\""),
        (#"["b","a"]"#, #"["b"]"#, "pushes[0].concerns[0]: \"kinds\" of the push does not name"),
        (#""count":3"#, #""count":-3"#, "pushes[1].count: -3 is not within"),
        (#""payload":{}"#, #""payload":[]"#, "pushes[1].payload: it must be an object"),
        (
            #""payload":{}"#, #""payload":{"a":{"b":"${x}"}}"#,
            "pushes[1].payload.a.b: \"values\" has"
        ),
        (#""urgentPercent":10"#, #""urgentPercent":101"#, "pushes[0].urgentPercent: 101.0"),
        (#""expires":5"#, #""expires":-5"#, "pushes[0].expires: -5.0"),
        (
            #"{"kind":"a","by""#, #"{"kind":"c","by""#,
            "pushes[0].concerns[0]: no widget has the kind"
        ),
        (
            #""by":"character""#, #""by":"hp""#,
            "pushes[0].concerns[0]: \"a\" has no parameter \"hp\""
        ),
        (#""capacity":500"#, #""capacity":0"#, "origin.capacity: 0 is not within"),
        (#""queue":10"#, #""queue":-1"#, "origin.queue: -1 is not within"),
        (#""latency":5"#, #""latency":60001"#, "origin.latency: 60001.0 is not within"),
        (#"-3.5"#, "1e300", "origin.pools.character.at.secondsAfterRamp: 1e+300 is not within"),
        (#""hp":[1,9]"#, #""revision":[1,9]"#, "origin.pools: \"character\" is no part of a path"),
        (
            #""pools":{"character""#, #""pools":{"a/b""#,
            "origin.pools: \"a/b\" is no part of a path"
        ),
        (
            #""timer":"device""#, #""timer":"clock""#,
            "system.timer: \"clock\" is none of router, device"
        ),
        (#""budget":"complication""#, #""budget":"none""#, "system.budget: \"none\" is none of"),
        (#""extensionMegabytes":40"#, #""extensionMegabytes":0"#, "system.extensionMegabytes: 0"),
    ])
    func `A value that cannot be is refused, with its position and what can be`(
        text: String,
        with other: String,
        expected: String
    ) throws {
        #expect(Self.whole.contains(text))
        let json = Self.whole.replacing(text, with: other, maxReplacements: 1)
        let found = try #require(problem(json))
        #expect(found.hasPrefix(expected), "\(found)")
    }

    @Test(arguments: [
        (#"{"kinds":["a"]}"#, false, true), (#"{"kinds":["a"]}"#, true, false),
        (#"{"kinds":["x"]}"#, false, false), (#"{"kinds":"a"}"#, false, false),
    ])
    func `Kinds in a payload are refused where no rule reads them`(
        payload: String,
        isRead: Bool,
        isRefused: Bool
    ) throws {
        let json = Self.whole.replacing(#""payload":{}"#, with: #""payload":\#(payload)"#)
        let scenario = try FleetScenario(json: Data(json.utf8))
        do throws(ScenarioError) {
            try scenario.checkPayloads { $0 == "kinds" && isRead }
            #expect(!isRefused)
        } catch {
            #expect(isRefused && error.description.hasPrefix("pushes[1].payload.kinds: "))
        }
    }

    @Test func `A fleet has widgets, and no more than fit a device`() {
        let widgets = { (count: Int) in
            let list = Array(repeating: #"{"kind":"k"}"#, count: count).joined(separator: ",")
            return
                #"{"name":"n","app":"a","bundle":"b","devices":1,"seconds":1,"widgets":[\#(list)]}"#
        }
        #expect(problem(widgets(0)) == "widgets: there must be at least one")
        #expect(problem(widgets(16)) == nil)
        #expect(problem(widgets(17)) == "the number of widgets: 17 is not within 1 and 16")
    }

    @Test(arguments: ["", "{", "[]", "7", "null", "\u{0}", "{}", #"{"name":"a"}"#])
    func `What is no scenario at all is refused`(json: String) throws {
        #expect(try !#require(problem(json)).isEmpty)
    }

    @Test func `What is no JSON is reported with its line, and so is a member that stands twice`() {
        #expect(
            problem("{\"name\":\"n\",\n  \"app\" 7}")
                == "line 2, column 9: '7' stands where a colon is expected"
        )
        #expect(
            problem("{\"name\":\"n\",\n \"name\":\"m\"}")
                == "line 2, column 2: the key occurs twice in the same object"
        )
    }

    @Test func `A payload nested beyond all depth is refused`() throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(
            problem(Self.whole.replacing(#""payload":{}"#, with: #""payload":\#(deep)"#)) != nil
        )
    }

    // MARK: - Fuzzing

    /// Mutations that have once found something, or come close to a limit.
    static let saved = [
        #""secondsAfterRamp":-9223372036854775808"#, #""secondsAfterRamp":1e18"#,
        #""from":-9223372036854775808,"to":9223372036854775807"#,
    ]

    @Test(arguments: saved)
    func `A case that a fuzzer has found, or might find, is refused or can be played`(
        members: String
    ) throws {
        let name = try #require(members.split(separator: ":").first)
        let whole =
            name == "\"from\""
            ? Self.whole.replacing(#""from":-1,"to":99"#, with: members)
            : Self.whole.replacing(#""secondsAfterRamp":-3.5"#, with: members)
        #expect(whole != Self.whole)
        Self.use(whole)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `A scenario that something has happened to never ends the program`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let words = [
            "-1", "0", "1e308", "-1e308", "9223372036854775807", "-9223372036854775808", "null",
            "true", "[]", "{}", "\"${hp}\"", "\"${\"", "\"\\ud83d\\ude00\"", "1e-320",
        ]
        let bytes = Array(Self.whole.utf8)
        for _ in 0..<500 {
            var mutated = bytes
            for _ in 0...random.below(3) { Self.mutate(&mutated, words, &random) }
            Self.use(String(decoding: mutated, as: UTF8.self))
        }
    }

    private static func mutate(
        _ bytes: inout [UInt8],
        _ words: [String],
        _ random: inout SeededGenerator
    ) {
        let position = random.below(bytes.count)
        switch random.below(5) {
        case 0: bytes[position] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: position)
        case 2: bytes.insert(random.pick(bytes), at: position)
        default:
            // A whole value in place of a number.
            let digits = bytes.indices.filter { (0x30...0x39).contains(bytes[$0]) }
            guard let first = digits.randomElement(using: &random) else { return }
            var last = first
            while last < bytes.count, (0x30...0x39).contains(bytes[last]) { last += 1 }
            bytes.replaceSubrange(first..<last, with: Array(random.pick(words).utf8))
        }
    }

    /// Reads a scenario, and begins with what it says if it is taken.
    private static func use(_ json: String) {
        guard var scenario = try? FleetScenario(json: Data(json.utf8)) else { return }
        scenario.devices = min(scenario.devices, 10)
        var random = SplitMix64(seed: 1, stream: 1)
        for widget in scenario.widgets {
            _ = JSONValue.object(widget.configuration).drawn(from: scenario.values, using: &random)
        }
        for push in scenario.pushes {
            let payload = push.payload.drawn(from: scenario.values, using: &random)
            _ = push.message(payload, now: VirtualFleet.start, using: &random)
        }
        _ = FleetOrigin(scenario.origin, seed: 1, rampEnd: VirtualFleet.start)
        var pushes = PushSchedule(scenario)
        for _ in 0..<10 { _ = pushes.take(until: .max) }
        var habits = DeviceHabits(scenario, seed: 1)
        if habits.begin(0) != nil { for _ in 0..<10 { _ = habits.next(0) } }
        var director = FleetDirector(scenario, now: VirtualFleet.start)
        _ = director.step(at: director.nextWake, isComplete: false, isQuiet: false)
    }
}
