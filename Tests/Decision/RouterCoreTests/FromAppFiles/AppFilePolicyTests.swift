import Basics
import TestSupport
import Testing

@testable import RouterCore

@Suite("Policies of app files")
struct AppFilePolicyTests {
    /// An app file whose only kind has these members besides; its app has the origin "o".
    private static func file(_ members: String) -> String {
        #"{"apps":[{"app":"a","origins":[{"origin":"o","perSecond":5}],"kinds":[{"kind":"k","#
            + members + "}]}]}"
    }

    private static func policy(_ members: String) throws -> KindPolicy {
        try AppFile.parse(file(members)).apps[0].kinds[0].policy
    }

    private static func origins(_ list: String) -> String {
        #"{"apps":[{"app":"a","origins":\#(list)}]}"#
    }

    // MARK: - What is read

    @Test("All that a policy can say is read as it stands")
    func whole() throws {
        let policy = try Self.policy(
            #"""
            "match":{"c":[1]},"origin":"o","observes":["hp","level"],"inlines":["level","name"],
            "debounce":{"wait":2,"longest":30},"spread":{"mode":"uniform","window":900},
            "atEndFloor":60,"usesLocation":true,
            "budget":{"like":"complication","seldom":1,"daily":2,"often":3,"oftenViews":4,
                      "learningDays":5,"learningPercent":106,"spacing":7,"urgentPercent":8}
            """#
        )
        var expected = KindPolicy()
        expected.origin = "o"
        expected.observes = ["hp", "level"]
        expected.inlines = ["level", "name"]
        expected.debounce = DebouncePolicy(wait: 2_000, longest: 30_000)
        expected.spread = SpreadPolicy(mode: .uniform, window: 900_000)
        expected.atEndFloor = 60_000
        expected.usesLocation = true
        expected.budget.seldom = 1
        expected.budget.daily = 2
        expected.budget.often = 3
        expected.budget.oftenViews = 4
        expected.budget.learningDays = 5
        expected.budget.learningPercent = 106
        expected.budget.spacing = 7_000
        expected.budget.urgentPercent = 8
        #expect(policy == expected)
    }

    @Test("A kind that says nothing has the defaults")
    func defaults() throws {
        let catalog = try AppFile.parse(#"{"apps":[{"app":"a","kinds":[{"kind":"k"}]}]}"#)
        #expect(catalog.apps[0].kinds[0].policy == KindPolicy())
        #expect(KindPolicy().budget.urgentPercent == 10, "the reserve is on")
        #expect(catalog.apps[0].origins == [])
    }

    @Test("A budget is a name, or an object that differs from one in what it names")
    func budgets() throws {
        #expect(try Self.policy(#""budget":"widget""#).budget == .widget)
        #expect(try Self.policy(#""budget":"complication""#).budget == .complication)
        #expect(try Self.policy(#""budget":"unlimited""#).budget == .unlimited)
        #expect(try Self.policy(#""budget":{}"#).budget == .widget)
        var expected = BudgetPolicy.complication
        expected.spacing = 60_000
        #expect(
            try Self.policy(#""budget":{"spacing":60,"like":"complication"}"#).budget == expected
        )
        #expect(try Self.policy(#""budget":{"like":"unlimited"}"#).budget == .unlimited)
    }

    @Test("A spread may be a mode alone, and an object may leave out either")
    func spreads() throws {
        for mode in SpreadPolicy.Mode.allCases {
            let spread = try Self.policy(#""spread":"\#(mode)""#).spread
            #expect(spread == SpreadPolicy(mode: mode, window: 600_000))
        }
        #expect(try Self.policy(#""spread":{"mode":"none"}"#).spread == SpreadPolicy(mode: .none))
        #expect(try Self.policy(#""spread":{"window":1}"#).spread == SpreadPolicy(window: 1_000))
    }

    @Test("A debounce window lasts 15 times the wait unless the file says how long")
    func longest() throws {
        let debounce = try Self.policy(#""debounce":{"wait":0.5}"#).debounce
        #expect(debounce == DebouncePolicy(wait: 500, longest: 7_500))
    }

    @Test(
        "Seconds become milliseconds exactly",
        arguments: [
            ("0.1", 100), ("0.125", 125), ("1.005", 1_005), ("2.675", 2_675), ("4.35", 4_350),
            ("1e-1", 100), ("0.5E+1", 5_000), ("12e0", 12_000), ("3599.999", 3_599_999),
            ("0.3600e4", 3_600_000), ("1.500000000000", 1_500),
        ] as [(String, Int64)]
    )
    func seconds(text: String, milliseconds: Int64) throws {
        #expect(
            try Self.policy(#""debounce":{"wait":\#(text)}"#).debounce?.wait.rawValue
                == milliseconds
        )
    }

    @Test("Zero is zero, however it is written")
    func zeroSpacing() throws {
        for text in ["0", "-0", "0.0", "0e99999999999999999999", "0e-7"] {
            #expect(try Self.policy(#""budget":{"spacing":\#(text)}"#).budget.spacing == 0)
        }
    }

    @Test("Whole numbers are read by their value")
    func wholeNumbers() throws {
        let budget = try Self.policy(#""budget":{"often":1e2,"oftenViews":20.0}"#).budget
        #expect(budget.often == 100)
        #expect(budget.oftenViews == 20)
    }

    @Test("Both ends of every range are taken")
    func ends() throws {
        for members in [
            #""debounce":{"wait":0.1,"longest":0.1}"#,
            #""debounce":{"wait":3600,"longest":86400}"#, #""spread":{"window":86400}"#,
            #""atEndFloor":1"#, #""atEndFloor":86400"#,
            #""budget":{"seldom":0,"daily":0,"often":0,"oftenViews":1,"learningDays":0}"#,
            #""budget":{"seldom":1000,"daily":1000,"often":1000,"learningPercent":100}"#,
            #""budget":{"often":250,"learningPercent":400,"learningDays":250}"#,
            #""budget":{"oftenViews":200,"spacing":86400,"urgentPercent":90}"#,
            #""budget":{"spacing":0,"urgentPercent":0}"#,
        ] {
            #expect(AppFile.error(Self.file(members)) == nil, "\(members)")
        }
    }

    @Test("Origins are read, also after the kinds that name them")
    func origins() throws {
        let app = try AppFile.parse(
            #"""
            {"apps":[{"app":"a","kinds":[{"kind":"k","origin":"o2"},{"kind":"l"}],
              "origins":[{"origin":"o1","perSecond":1,"undelayed":0},
                         {"perSecond":1000000,"origin":"o2"},
                         {"origin":"o3","perSecond":2,"undelayed":10000}]}]}
            """#
        ).apps[0]
        #expect(
            app.origins == [
                OriginDeclaration(origin: "o1", perSecond: 1, undelayed: 0),
                OriginDeclaration(origin: "o2", perSecond: 1_000_000, undelayed: 10),
                OriginDeclaration(origin: "o3", perSecond: 2, undelayed: 10_000),
            ]
        )
        #expect(app.kinds.map(\.policy.origin) == ["o2", nil])
    }

    @Test("Fields that are both observed and inlined count once, and names are their bytes")
    func sixteenFields() throws {
        let names = (0..<16).map { #""f\#($0)""# }.joined(separator: ",")
        let policy = try Self.policy(#""observes":[\#(names)],"inlines":["f15","f0"]"#)
        #expect(policy.observes.count == 16)
        #expect(policy.inlines == ["f15", "f0"])
        // Canonically equivalent to Swift, different to a payload.
        let replicas = try Self.policy("\"observes\":[\"\u{e9}\",\"e\u{301}\"]")
        #expect(replicas.observes.count == 2)
        let long = String(repeating: "x", count: 128)
        #expect(try Self.policy(#""observes":["\#(long)"]"#).observes == [long])
    }

    @Test("The former names of the lists of fields are still accepted")
    func formerNames() throws {
        let policy = try Self.policy(#""shows":["hp"],"carries":["hp","level"]"#)
        #expect(policy.observes == ["hp"])
        #expect(policy.inlines == ["hp", "level"])
    }

    // MARK: - What is refused

    @Test(
        "A list under its name and its former name is refused, in either order",
        arguments: [
            (#""observes":["a"],"shows":["b"]"#, "shows", "keep observes"),
            (#""shows":["a"],"observes":["b"]"#, "observes", "keep observes"),
            (#""inlines":["a"],"carries":["b"]"#, "carries", "keep inlines"),
            (#""carries":["a"],"inlines":["b"]"#, "inlines", "keep inlines"),
        ]
    )
    func bothNames(members: String, member: String, advice: String) {
        verify(AppFile.error(Self.file(members)), "apps[0].kinds[0].\(member)", advice)
    }

    @Test(
        "What is wrong with a kind's policy is named, with what would be right",
        arguments: [
            (#""origin":1"#, "origin", "string"), (#""origin":"""#, "origin", "id"),
            (#""origin":"p""#, "origin", "perSecond"), (#""observes":"hp""#, "observes", "array"),
            (#""observes":[]"#, "observes", "leave"), (#""inlines":[]"#, "inlines", "leave"),
            (#""observes":["hp",1]"#, "observes[1]", "string"),
            (#""observes":[""]"#, "observes[0]", "1 to 128"),
            (#""inlines":["a","b","a"]"#, "inlines[2]", "once"),
            (#""observes":["a","\u0061"]"#, "observes[1]", "once"),
            (#""usesLocation":1"#, "usesLocation", "true or false"),
            (#""usesLocation":null"#, "usesLocation", "true or false"),
            (#""debounce":2"#, "debounce", "object"), (#""debounce":{}"#, "debounce", "wait"),
            (#""debounce":{"longest":2}"#, "debounce", "wait"),
            (#""debounce":{"wait":"2"}"#, "debounce.wait", "seconds"),
            (#""debounce":{"wait":0.099}"#, "debounce.wait", "from 0.1 to 3600"),
            (#""debounce":{"wait":3600.001}"#, "debounce.wait", "from 0.1 to 3600"),
            (#""debounce":{"wait":0.1005}"#, "debounce.wait", "three decimal places"),
            (#""debounce":{"wait":1e300}"#, "debounce.wait", "from 0.1 to 3600"),
            (#""debounce":{"wait":1e-300}"#, "debounce.wait", "from 0.1 to 3600"),
            (#""debounce":{"wait":-1}"#, "debounce.wait", "from 0.1 to 3600"),
            (#""debounce":{"wait":1,"longest":86401}"#, "debounce.longest", "to 86400"),
            (#""debounce":{"wait":2.5,"longest":2}"#, "debounce", "shorter"),
            (#""debounce":{"longest":2,"wait":2.5}"#, "debounce", "wait 2.5 s"),
            (#""debounce":{"wait":1,"most":2}"#, "debounce.most", "longest"),
            (#""spread":1"#, "spread", "window"), (#""spread":"Ledger""#, "spread", "ledger"),
            (#""spread":{"mode":1}"#, "spread.mode", "string"),
            (#""spread":{"mode":"flat"}"#, "spread.mode", #""none", "uniform" or "ledger""#),
            (#""spread":{"window":0.999}"#, "spread.window", "from 1 to 86400"),
            (#""spread":{"window":86400.001}"#, "spread.window", "from 1 to 86400"),
            (#""spread":{"windows":1}"#, "spread.windows", "mode and window"),
            (#""atEndFloor":0"#, "atEndFloor", "from 1 to 86400"),
            (#""atEndFloor":86401"#, "atEndFloor", "from 1 to 86400"),
            (#""atEndFloor":"300""#, "atEndFloor", "seconds"),
        ]
    )
    func kinds(members: String, path: String, right: String) {
        verify(AppFile.error(Self.file(members)), "apps[0].kinds[0].\(path)", right)
    }

    @Test(
        "What is wrong with a budget is named, with what would be right",
        arguments: [
            (#""free""#, "", #""widget", "complication" or "unlimited""#), ("40", "", "object"),
            ("null", "", "object"), (#"{"like":"free"}"#, ".like", "unlimited"),
            (#"{"like":{}}"#, ".like", "string"), (#"{"daly":1}"#, ".daly", "daily"),
            (#"{"seldom":-1}"#, ".seldom", "0 to 1000"),
            (#"{"seldom":1.5}"#, ".seldom", "whole"), (#"{"seldom":"1"}"#, ".seldom", "whole"),
            (#"{"daily":1001}"#, ".daily", "0 to 1000"),
            (#"{"often":99999999999999999999}"#, ".often", "0 to 1000"),
            (#"{"oftenViews":0}"#, ".oftenViews", "1 to 200"),
            (#"{"oftenViews":201}"#, ".oftenViews", "1 to 200"),
            (#"{"learningDays":251}"#, ".learningDays", "0 to 250"),
            (#"{"learningPercent":99}"#, ".learningPercent", "100 to 400"),
            (#"{"learningPercent":401}"#, ".learningPercent", "100 to 400"),
            (#"{"spacing":-0.001}"#, ".spacing", "0 to 86400"),
            (#"{"spacing":86400.001}"#, ".spacing", "0 to 86400"),
            (#"{"spacing":0.0001}"#, ".spacing", "three decimal places"),
            (#"{"urgentPercent":91}"#, ".urgentPercent", "0 to 90"),
            (#"{"seldom":41}"#, "", "seldom is 41, daily 40"),
            (#"{"daily":71}"#, "", "daily 71 and often 70"),
            (#"{"often":39}"#, "", "daily 40 and often 39"),
            (#"{"like":"complication","seldom":76}"#, "", "seldom is 76, daily 75"),
            (#"{"often":667}"#, "", "1000"), (#"{"often":251,"learningPercent":400}"#, "", "251"),
        ]
    )
    func budget(budget: String, path: String, right: String) {
        verify(
            AppFile.error(Self.file(#""budget":\#(budget)"#)),
            "apps[0].kinds[0].budget\(path)",
            right
        )
    }

    @Test(
        "What is wrong with an origin is named, with what would be right",
        arguments: [
            ("{}", "", "array"), ("[1]", "[0]", "object"), ("[{}]", "[0]", "origin"),
            (#"[{"perSecond":1}]"#, "[0]", "origin"), (#"[{"origin":"o"}]"#, "[0]", "perSecond"),
            (#"[{"origin":"\"","perSecond":1}]"#, "[0].origin", "id"),
            (#"[{"origin":"o","perSecond":0}]"#, "[0].perSecond", "1 to 1000000"),
            (#"[{"origin":"o","perSecond":1000001}]"#, "[0].perSecond", "1 to 1000000"),
            (#"[{"origin":"o","perSecond":0.5}]"#, "[0].perSecond", "whole"),
            (#"[{"origin":"o","perSecond":1,"undelayed":-1}]"#, "[0].undelayed", "0 to 10000"),
            (
                #"[{"origin":"o","perSecond":1,"undelayed":10001}]"#, "[0].undelayed",
                "0 to 10000"
            ),
            (#"[{"origin":"o","perSecond":1,"rate":1}]"#, "[0].rate", "undelayed"),
            (
                #"[{"origin":"o","perSecond":1},{"origin":"o","perSecond":2}]"#, "[1]",
                "second time"
            ),
        ]
    )
    func origin(list: String, path: String, right: String) {
        verify(AppFile.error(Self.origins(list)), "apps[0].origins\(path)", right)
    }

    @Test("An app may have 256 origins and no more")
    func tooManyOrigins() {
        for (count, isTaken) in [(256, true), (257, false)] {
            let list = (0..<count).map { #"{"origin":"o\#($0)","perSecond":1}"# }
            let error = AppFile.error(Self.origins("[" + list.joined(separator: ",") + "]"))
            #expect((error == nil) == isTaken)
            if !isTaken { verify(error, "apps[0].origins", "256") }
        }
    }

    @Test("An origin of another app is none, and the place is that of the kind's name for it")
    func foreignOrigin() {
        let error = AppFile.error(
            "{\"apps\":[{\"app\":\"a\",\"origins\":[{\"origin\":\"o\",\"perSecond\":1}]},\n"
                + #"{"app":"b","kinds":[{"kind":"j"},{"kind":"k","origin":"o"}]}]}"#
        )
        verify(error, "apps[1].kinds[1].origin", "declare it")
        #expect(error?.line == 2)
        #expect(error?.column == 55)
    }

    @Test("The seventeenth field is refused at its place, whichever list comes first")
    func tooManyFields() {
        let ten = (0..<10).map { #""f\#($0)""# }.joined(separator: ",")
        for (first, second) in [("observes", "inlines"), ("inlines", "observes")] {
            let members = #""\#(first)":[\#(ten)],"\#(second)":["f9","a","b","c","d","e","f","g"]"#
            verify(AppFile.error(Self.file(members)), "apps[0].kinds[0].\(second)[7]", "16")
        }
    }

    @Test("A field's name has at most 128 bytes, however many letters these are")
    func longField() {
        let name = String(repeating: "\u{e9}", count: 65)
        verify(
            AppFile.error(Self.file(#""observes":["hp","\#(name)"]"#)),
            "apps[0].kinds[0].observes[1]",
            "130 bytes"
        )
    }

    @Test("Inlined fields beside whose names no values fit in 512 bytes are refused")
    func longInlined() {
        // Each name with quotation marks, colon, a digit, and a comma or brace; and the first
        // brace.
        let room = 512 - 1 - 4 * 105 - 5
        for (last, isTaken) in [(room, true), (room + 1, false)] {
            let names = [100, 100, 100, 100, last].enumerated().map { index, count in
                "\"\(index)" + String(repeating: "x", count: count - 1) + "\""
            }
            let error = AppFile.error(Self.file("\"inlines\":[\(names.joined(separator: ","))]"))
            #expect((error == nil) == isTaken)
            if !isTaken { verify(error, "apps[0].kinds[0].inlines", "512") }
        }
    }

    @Test("The place of an error is that of the value, and the sentence is one line")
    func places() {
        let error = AppFile.error(
            "{\"apps\": [{\"app\": \"a\",\n \"kinds\": [{\"kind\": \"k\",\n"
                + "  \"budget\": {\"spacing\": 300,\n    \"urgentPercent\": 95}}]}]}"
        )
        #expect(error?.line == 4)
        #expect(error?.column == 22)
        #expect(
            error?.description
                == "line 4, column 22, apps[0].kinds[0].budget.urgentPercent (app a, kind k): "
                + "the value is 95; it must be a whole number from 0 to 90"
        )
        let between = AppFile.error(
            "{\"apps\":[{\"app\":\"a\",\"kinds\":[{\"kind\":\"k\",\n\"budget\":{\"seldom\":50}}]}]}"
        )
        #expect(between?.line == 2)
        #expect(between?.column == 10)
    }

    private func verify(_ error: AppFileError?, _ path: String, _ right: String) {
        #expect(error?.path == path, "\(error?.description ?? "no error")")
        #expect(error?.message.contains(right) == true, "\(error?.message ?? "no error")")
        #expect(error?.message.contains("\n") == false)
        #expect((error?.line ?? 0) >= 1 && (error?.column ?? 0) > 1)
    }
}
