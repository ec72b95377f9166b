import ArgumentParser
import Basics
import CommandSupport

/// `dashboard`: prints a link that opens the dashboard of a running router once.
struct Dashboard: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a link to a running router's dashboard, for one visit.",
        discussion: """
            The link is good for ten minutes and for one browser, which then acts for whom the \
            token belongs to until its tab is closed, at most twelve hours. `serve` prints such a \
            link, too, when it starts on an address of this machine.

            Exit status: 0 printed, 1 the server refuses the token, 2 the server cannot be reached.
            """
    )

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let body = try admin.ask("/v1/links", as: "dashboard", body: [])
        guard let path = Self.path(in: body) else {
            throw SettingsProblem("\(admin.to) answers with no link: it is an older router")
        }
        printLine("\(try AdminAddress(admin.to, options: admin.protection))\(path)")
    }

    /// The member `path` of an answer.
    private static func path(in body: [UInt8]) -> String? {
        body.withByteView { view in
            var reader = JSONReader(view)
            guard reader.peek() == .object else { return nil }
            reader.enterObject()
            var path: String?
            while let key = reader.nextKey() {
                if key == "path", reader.peek() == .string {
                    path = reader.readString().string
                } else {
                    reader.skipValue()
                }
            }
            return path
        }
    }
}
