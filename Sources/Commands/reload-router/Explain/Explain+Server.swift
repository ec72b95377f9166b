import AdminClient
import ArgumentParser
import CommandSupport
import DataStructures
import FrameCodec
import ReloadModel
import StrictJSON

/// `explain --to`: asks a running router what a push would do now.
extension Explain {
    /// The most widgets that a server reports: the `maximum` in the schema of its API.
    static var serverLimit: Int { 1_000 }

    func ask(_ server: String) throws {
        do {
            let payload = try Self.payload(push[0])
            var address = try AdminAddress(server, options: protection)
            try address.readToken(tokenFile)
            let question = address.question("/v1/explain", body: question(payload))
            let answer = try address.answer(to: question)
            if answer.status == 200, !isJSON(answer.body) {
                try refuse("\(address): status 200 without JSON")
            }
            if answer.status != 200 { try refuse("\(address): \(address.problem(in: answer))") }
            if !report(answer.body) {
                try refuse("\(address): it reports no widget \(widget ?? "") of \(device ?? "")")
            }
        } catch let error as SettingsProblem {
            try refuse("\(error)")
        } catch let error as NoAdminAnswer {
            writeStandardError("reload-router explain: \(error)\n")
            throw ExitStatus.disconnected
        }
    }

    /// The body of the request. The payload is inserted unchanged, so that the router judges it.
    private func question(_ payload: [UInt8]) -> [UInt8] {
        JSONWriter.object { json in
            json.member("app", value: app ?? "")
            json.key("payload")
            payload.withByteView { json.raw($0) }
            json.member("urgent", value: urgent)
            if let kinds = kinds.names {
                json.key("kinds")
                json.beginArray()
                for kind in kinds { json.string(kind) }
                json.endArray()
            }
            if let device { json.member("device", value: device) }
            if let kind { json.member("kind", value: kind) }
            json.key("limit")
            // The server cannot be asked for one widget. So it is asked for all widgets of the
            // device, and the one is selected here.
            json.integer(Int64(widget == nil ? limit : Self.serverLimit))
        }
    }

    private func isJSON(_ body: [UInt8]) -> Bool {
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth * 2)
        return body.withByteView { (try? validateJSON($0, using: &scanner)) != nil }
    }

    // MARK: - The answer

    /// Prints the answer.
    ///
    /// - Returns: false if one widget was asked for and the answer does not have it.
    private func report(_ body: [UInt8]) -> Bool {
        body.withByteView { body in
            var matched = ""
            var reported = (matched: 0, near: 0)
            var reader = JSONReader(body)
            reader.enterObject()
            while let name = reader.nextKey() {
                if name == "concerned" {
                    matched =
                        reader.peek() == .string
                        ? reader.readString().string : reader.rawValue().string
                } else if name == "widgets" {
                    reported.matched = report(&reader, isPrinted: !near)
                } else if name == "hints" {
                    reader.enterArray()
                    while reader.nextElement() {
                        writeStandardError("warning: \(reader.readString().string)\n")
                    }
                } else if name == "near" {
                    reported.near = report(&reader, isPrinted: near || device != nil)
                } else {
                    reader.skipValue()
                }
            }
            if widget != nil {
                if reported.matched + reported.near == 0 { return false }
                matched = "\(reported.matched)"
            }
            if json { return true }
            printLine(
                near
                    ? "\(reported.near) nearly matched, among the first that were examined"
                    : "\(matched) matched, \(reported.matched) reported"
            )
            return true
        }
    }

    /// Reads a list of widgets, and prints those that were asked for.
    ///
    /// - Returns: how many were asked for, printed or not.
    private func report(_ reader: inout JSONReader, isPrinted: Bool) -> Int {
        var count = 0
        reader.enterArray()
        while reader.nextElement() {
            let widget = reader.rawValue()
            if let chosen = self.widget, Self.name(of: widget) != chosen { continue }
            count += 1
            if !isPrinted { continue }
            if json {
                printLine(widget.string)
            } else {
                report(widget)
            }
        }
        return count
    }

    private static func name(of widget: ByteView) -> String? {
        var reader = JSONReader(widget)
        reader.enterObject()
        while let name = reader.nextKey() {
            if name == "widget" { return reader.readString().string }
            reader.skipValue()
        }
        return nil
    }

    private func report(_ widget: ByteView) {
        var texts: [String: String] = [:]
        var tests: [String] = []
        var reader = JSONReader(widget)
        reader.enterObject()
        while let name = reader.nextKey() {
            if name == "tests" {
                tests = Self.tests(&reader)
            } else if reader.peek() == .string {
                texts[name.string] = reader.readString().string
            } else {
                reader.skipValue()
            }
        }
        let outcome = texts["outcome"].map { " [\($0)]" } ?? ""
        let name = "\(texts["device"] ?? "")/\(texts["widget"] ?? "")"
        printLine("\(name)\(outcome): \(texts["text"] ?? "")")
        if device != nil { for test in tests { printLine("    \(test)") } }
    }

    private static func tests(_ reader: inout JSONReader) -> [String] {
        var lines: [String] = []
        reader.enterArray()
        while reader.nextElement() {
            var texts: [String: String] = [:]
            var isHeld = false
            reader.enterObject()
            while let name = reader.nextKey() {
                if name == "isHeld" {
                    isHeld = reader.readBoolean()
                } else {
                    texts[name.string] = reader.readString().string
                }
            }
            lines.append(
                "\(isHeld ? "holds" : "fails")  \(texts["field"] ?? ""): \(texts["value"] ?? ""), "
                    + "wanted \(texts["test"] ?? "")"
            )
        }
        return lines
    }
}
