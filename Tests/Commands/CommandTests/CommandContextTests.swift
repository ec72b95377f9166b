import CommandSupport
import Testing

@Suite("A context")
struct CommandContextTests {
    @Test("has a name of letters, digits and marks", arguments: ["game", "9", "Eu-1.b_c"])
    func named(name: String) throws {
        #expect(try CommandContext(name).name == name)
    }

    @Test(
        "has no other name",
        arguments: ["", "-a", ".", "_a", "a/b", "a b", "ä", String(repeating: "a", count: 65)]
    )
    func misnamed(name: String) {
        #expect(throws: SettingsProblem.self) { try CommandContext(name) }
    }

    @Test(
        "that no command could use is refused",
        arguments: [
            ([:], "there is no --to"),
            ([.to: "a:99999"], "--to is a:99999"),
            ([.to: "a", .app: ""], "--app has 0 bytes"),
            ([.to: "a", .security: "tsl"], "security is tsl; it must be tls, "),
            ([.to: "a", .security: "plaintext", .ca: "/ca.pem"], "--plaintext is without TLS"),
            ([.to: "a", .cert: "/cert.pem"], "--cert and --key belong together"),
        ] as [([CommandContext.Member: String], String)]
    )
    func refused(members: [CommandContext.Member: String], reason: String) throws {
        var context = try CommandContext("game")
        context.members = members
        let error = #expect(throws: SettingsProblem.self) { try context.check() }
        #expect(error?.description.hasPrefix(reason) == true)
    }

    @Test(
        "of a router on this machine has its admin server, and another one's is not guessed",
        arguments: [
            ("localhost:7410", "127.0.0.1:7411"), ("7410", "127.0.0.1:7411"),
            ("router.example:7410", nil),
        ]
    )
    func admin(router: String, server: String?) throws {
        var context = try CommandContext("game")
        context.members[.to] = router
        #expect(context.admin == server)
        context.members[.admin] = "https://router.example"
        #expect(context.admin == "https://router.example")
    }

    @Test(
        "gives an admin server its options for TLS, unless one of both is with TLS and one without",
        arguments: [
            ("https://a", "tls", true), ("https://a", nil, true), ("https://127.0.0.1", nil, true),
            ("https://a", "plaintext", false), ("http://a", "tls", false),
            ("a", "plaintext", true), ("a", "tls", true), ("127.0.0.1", "tls", false),
        ]
    )
    func protection(admin: String, security: String?, isShared: Bool) throws {
        var context = try CommandContext("game")
        context.members = [.to: "router.example", .admin: admin]
        context.members[.security] = security
        #expect(context.protectsAdmin == isShared)
    }
}
