import Foundation
import Testing

@testable import AdminAPI

@Suite("The dashboard's files")
struct DashboardFileTests {
    /// By their names.
    private static let files: [String: StaticFile] = {
        let dashboard = StaticFiles.dashboard(charts: nil)
        var files = dashboard.assets
        files["page.html"] = dashboard.page
        files["runbook.html"] = dashboard.runbook
        return files
    }()

    private static let resources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../Sources/Server/AdminAPI/Dashboard/Resources")

    @Test func `Every file of the folder is served as it is, and nothing else`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.resources.path)
        #expect(Set(names) == Set(Self.files.keys))
        for (name, file) in Self.files {
            let bytes = try Data(contentsOf: Self.resources.appending(path: name))
            let isSame = Array(bytes) == file.bytes
            #expect(isSame, "\(name)")
        }
    }

    @Test func `Types follow from names`() throws {
        let types = ["html": "html", "css": "css", "js": "javascript"]
        for (name, file) in Self.files {
            let language = try #require(types[String(name.split(separator: ".")[1])])
            let type = file.headers.first { $0.name == "Content-Type" }?.value
            #expect(type == "text/\(language); charset=utf-8", "\(name)")
        }
    }

    @Test func `What files refer to is there`() throws {
        let reference = try Regex(#"(?:src|href)="assets/([^"]+)"|from "\./([^"]+)""#)
        let names = StaticFiles.dashboard(charts: nil).assets.keys
        for (file, content) in Self.files {
            for found in String(decoding: content.bytes, as: UTF8.self).matches(of: reference) {
                let name = (found.output[1].substring ?? found.output[2].substring).map(String.init)
                // The one that is the machine's.
                if name == "chart.js" { continue }
                #expect(name.map(names.contains) == true, "\(file): \(name ?? "")")
            }
        }
    }

    @Test(arguments: [
        #"https?://(?!127\.0\.0\.1[:/])"#, #"\sstyle="#, #"\son[a-z]+="#, "<script>",
        "<style", "innerHTML", "outerHTML", "insertAdjacent", #"document\.write"#, #"\beval\b"#,
        "new Function",
        "srcdoc",
    ])
    func `Nothing asks another server, and no markup is made of strings`(forbidden: String) throws {
        let pattern = try Regex(forbidden)
        for (name, file) in Self.files {
            let text = String(decoding: file.bytes, as: UTF8.self)
            #expect(!text.contains(pattern), "\(name)")
        }
    }
}
