import Basics
import Testing

@testable import RouterCore

@Suite("App files")
struct AppFileTests {
    /// The error for a rule in place of `match` of the only kind.
    private static func ruleError(_ rule: String) -> AppFileError? {
        AppFile.error(#"{"apps":[{"app":"a","kinds":[{"kind":"k","match":\#(rule)}]}]}"#)
    }

    // MARK: - What is read

    @Test("Apps, kinds and rules are read as they stand")
    func whole() throws {
        let catalog = try AppFile.parse(
            #"""
            {"apps": [
              {"app": "com.mygame", "publishers": "open", "devices": [],
               "kinds": [
                 {"kind": "detail", "match": {"character": ["${configuration.character}"]}},
                 {"match": {"event": ["dragon", 3e1, true, false, null],
                            "place": {"region": ["${configuration.region}"]}},
                  "kind": "watch"},
                 {"kind": "board"}]},
              {"gateways": "open", "app": "com.news"}]}
            """#
        )
        let detail = EventPattern(conditions: [
            .field("character", [.equals(.parameter("character"))])
        ])
        let region = PatternCondition.field("region", [.equals(.parameter("region"))])
        let watch = EventPattern(conditions: [
            .field(
                "event",
                [
                    .equals(.value(.string("dragon"))), .equals(.value(.number("3e1"))),
                    .equals(.value(.boolean(true))), .equals(.value(.boolean(false))),
                    .equals(.value(.null)),
                ]
            ),
            .nested("place", EventPattern(conditions: [region])),
        ])
        #expect(
            catalog
                == AppCatalog(apps: [
                    AppDeclaration(
                        app: "com.mygame",
                        kinds: [
                            KindDeclaration(kind: "detail", rule: detail),
                            KindDeclaration(kind: "watch", rule: watch),
                            KindDeclaration(kind: "board"),
                        ]
                    ),
                    AppDeclaration(app: "com.news", kinds: []),
                ])
        )
    }

    @Test("Quotas are read by name; those that are not there are nil")
    func quotas() throws {
        let text = #"{"apps":[{"app":"a","quotas":{"devices":5,"storedBytes":1e6,"producers":0}}]}"#
        let quotas = try AppFile.parse(text).apps[0].quotas
        #expect(quotas.devices == 5 && quotas.storedBytes == 1_000_000 && quotas.producers == 0)
        #expect(quotas.widgets == nil && quotas.sessions == nil)
        #expect(try AppFile.parse(#"{"apps":[{"app":"a"}]}"#).apps[0].quotas == AppQuotas())
    }

    @Test("Names and values are read decoded")
    func escapes() throws {
        let catalog = try AppFile.parse(
            #"{"\u0061pps":[{"app":"\u0061","kinds":[{"kind":"\u00e9","match":{"\n":["\""]}}]}]}"#
        )
        #expect(catalog.apps[0].app == "a")
        #expect(catalog.apps[0].kinds[0].kind == "é")
        let conditions = catalog.apps[0].kinds[0].rule?.conditions
        #expect(conditions == [.field("\n", [.equals(.value(.string("\"")))])])
    }

    @Test("Kinds of two apps may have one name")
    func sameKindInTwoApps() throws {
        let text =
            #"{"apps":[{"app":"a","kinds":[{"kind":"k"}]},{"app":"b","kinds":[{"kind":"k"}]}]}"#
        #expect(try AppFile.parse(text).apps.map(\.kinds.count) == [1, 1])
    }

    // MARK: - What is refused

    @Test(
        "A member that is unknown, missing or of another type is named",
        arguments: [
            ("{}", "", "apps"), (#"{"apps":{}}"#, "apps", "array"),
            (#"{"apps":null}"#, "apps", "array"), (#"{"apps":[1]}"#, "apps[0]", "object"),
            (#"{"apps":[],"more":1}"#, "more", "apps"), (#"{"apps":[{}]}"#, "apps[0]", "app"),
            (#"{"apps":[{"app":1}]}"#, "apps[0].app", "string"),
            (#"{"apps":[{"app":"a","token":"x"}]}"#, "apps[0].token", "publishers"),
            (#"{"apps":[{"app":"a","kinds":{}}]}"#, "apps[0].kinds", "array"),
            (#"{"apps":[{"app":"a","quotas":[]}]}"#, "apps[0].quotas", "object"),
            (#"{"apps":[{"app":"a","quotas":{"kinds":1}}]}"#, "apps[0].quotas.kinds", "sessions"),
            (#"{"apps":[{"app":"a","quotas":{"widgets":-1}}]}"#, "apps[0].quotas.widgets", "0 to"),
            (#"{"apps":[{"app":"a","kinds":["k"]}]}"#, "apps[0].kinds[0]", "object"),
            (#"{"apps":[{"app":"a","kinds":[{"kind":"k"},{}]}]}"#, "apps[0].kinds[1]", "kind"),
            (
                #"{"apps":[{"app":"a","kinds":[{"kind":"k","show":["hp"]}]}]}"#,
                "apps[0].kinds[0].show", "match"
            ),
            (
                #"{"apps":[{"app":"a","kinds":[{"kind":"k","match":null}]}]}"#,
                "apps[0].kinds[0].match", "object"
            ),
            (
                #"{"apps":[{"app":"a","kinds":[{"kind":"k","match":[]}]}]}"#,
                "apps[0].kinds[0].match", "object"
            ),
        ]
    )
    func members(text: String, path: String, right: String) {
        let error = AppFile.error(text)
        #expect(error?.path == path)
        #expect(error?.message.contains(right) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("\n") == false)
    }

    @Test(
        "An id must be one that needs no escape and is not too long",
        arguments: ["", #"\""#, #"\\"#, #"\n"#, #"\u007f"#, String(repeating: "x", count: 129)]
    )
    func identifiers(text: String) {
        #expect(AppFile.error(#"{"apps":[{"app":"\#(text)"}]}"#)?.path == "apps[0].app")
        let kind = #"{"apps":[{"app":"a","kinds":[{"kind":"\#(text)"}]}]}"#
        #expect(AppFile.error(kind)?.path == "apps[0].kinds[0].kind")
    }

    @Test(
        "A rule that is no pattern is refused with its code and the path in the file",
        arguments: [
            ("{}", "", "pattern-empty-object"), (#"{"f":[]}"#, ".f", "pattern-empty-list"),
            ("7", "", "pattern-not-object"), (#"{"f":"x"}"#, ".f", "pattern-scalar"),
            (#"{"g":[1],"f":{"x":{}}}"#, ".f.x", "pattern-empty-object"),
            (#"{"f":["x",[1]]}"#, ".f[1]", "pattern-alternative"),
            (#"{"f":[{"prefx":"x"}]}"#, ".f[0].prefx", "pattern-operator-unknown"),
            (#"{"f":["fine","${x}"]}"#, ".f[1]", "pattern-placeholder"),
            (#"{"$or":[{"f":[{"cidr":"x"}]}]}"#, ".$or[0].f[0].cidr", "pattern-cidr"),
        ]
    )
    func rules(rule: String, path: String, code: String) {
        let error = Self.ruleError(rule)
        #expect(error?.path == "apps[0].kinds[0].match\(path)")
        #expect(error?.code == code)
        #expect(error?.description.contains("match\(path) (app a, kind k): \(code): ") == true)
    }

    @Test("What is wrong beside the rules has no code")
    func withoutCode() {
        let error = AppFile.error("{}")
        #expect(error?.code == nil)
        #expect(error?.description == "line 1, column 1: the file has no member apps")
    }

    @Test("An app or a kind that is declared twice is named, at its second place")
    func duplicates() {
        let apps = AppFile.error("{\"apps\":[\n{\"app\":\"a\"},\n{\"app\":\"a\"}]}")
        #expect(apps?.line == 3)
        #expect(apps?.message.contains("a") == true)
        let kinds = AppFile.error(
            "{\"apps\":[{\"app\":\"a\",\"kinds\":[\n{\"kind\":\"k\"},\n{\"kind\":\"k\"}]}]}"
        )
        #expect(kinds?.line == 3)
        #expect(kinds?.message.contains("k") == true)
    }

    @Test("A value that no payload can have is refused rather than stored")
    func endlessValue() {
        let text = String(repeating: "x", count: 1 << 20)
        #expect(Self.ruleError(#"{"f":["\#(text)"]}"#)?.path == "apps[0].kinds[0].match.f[0]")
    }

    @Test("More kinds than there are numbers are refused")
    func tooManyKinds() {
        let kinds = (0..<65_536).map { #"{"kind":"k\#($0)"}"# }.joined(separator: ",")
        #expect(AppFile.error(#"{"apps":[{"app":"a","kinds":[\#(kinds)]}]}"#) != nil)
    }

    @Test("What is not strict JSON is refused with line and column")
    func json() {
        let cases: [(text: String, line: Int, column: Int)] = [
            ("", 1, 1), ("[]", 1, 1), ("{\"apps\":[],}", 1, 12), ("{\"apps\":[\n  }", 2, 3),
            ("{\"apps\":[],\n\n \"apps\":[]}", 3, 2), ("{\"apps\":[]} x", 1, 13),
            ("{\"é\":\"\u{1}\"}", 1, 7), ("{\"apps\":[{\"app\":\"a\",\n\"app\":\"a\"}]}", 2, 1),
            (#"{"apps":[1e400]}"#, 1, 10),
        ]
        for (text, line, column) in cases {
            let error = AppFile.error(text)
            #expect(
                error?.line == line && error?.column == column,
                "\(text): \(String(describing: error))"
            )
            #expect(error?.description.hasPrefix("line \(line), column \(column)") == true)
        }
    }

    @Test("The place is that of the value that is wrong")
    func places() {
        let error = AppFile.error(
            "{\"apps\": [\n  {\"app\": \"a\",\n   "
                + #""kinds": [{"kind": "k", "match": {"é": [7, {}]}}]}]}"#
        )
        #expect(error?.line == 3)
        #expect(error?.column == 47)
        #expect(error?.path == "apps[0].kinds[0].match.é[1]")
    }
}
