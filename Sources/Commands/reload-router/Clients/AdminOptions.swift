import AdminClient
import ArgumentParser
import CommandSupport

/// The admin server that a command asks, and the file with its token.
struct AdminOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The admin server: a port of this machine, host:port, or a URL, http or https.",
            valueName: "address"
        )
    )
    var to = "http://127.0.0.1:7411"

    @Option(
        help: ArgumentHelp(
            "A file with the admin server's token in its first line. (default: that of this "
                + "machine's routers, for an address of this machine)",
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: String?

    @OptionGroup var protection: SecurityOptions

    /// The address, with the token for it.
    ///
    /// - Throws: `ValidationError` if it is no address, `SettingsProblem` if a file has no token
    ///   or is not usable.
    func address() throws -> AdminAddress {
        var address = try AdminAddress(to, options: protection)
        try address.readToken(tokenFile)
        return address
    }
}

extension AdminOptions {
    /// Sends one request to the admin server.
    ///
    /// - Parameters:
    ///   - path: the path with its query.
    ///   - command: the command that asks, for messages.
    ///   - method: the method; nil for a GET, or a POST if there is a body.
    ///   - body: JSON, empty for a POST without any; nil for none.
    /// - Returns: the body of the answer.
    /// - Throws: `ExitStatus`, after writing the reason to standard error.
    func ask(
        _ path: String,
        as command: String,
        method: String? = nil,
        body: [UInt8]? = nil
    ) throws -> [UInt8] {
        do {
            let address = try address()
            let question = address.question(path, method: method, body: body)
            let answer = try address.answer(to: question)
            if answer.status == 200 { return answer.body }
            let detail = address.problem(in: answer)
            writeStandardError("reload-router \(command): \(address): \(detail)\n")
            throw ExitStatus.refused
        } catch let error as SettingsProblem {
            writeStandardError("reload-router \(command): \(error)\n")
            throw ExitStatus.refused
        } catch let error as NoAdminAnswer {
            writeStandardError("reload-router \(command): \(error)\n")
            throw ExitStatus.disconnected
        }
    }

    /// Encodes a name for a path or a query: all bytes but letters, digits and `-._~` become
    /// percent escapes.
    static func encoded(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
                text.append(Character(Unicode.Scalar(byte)))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }
}
