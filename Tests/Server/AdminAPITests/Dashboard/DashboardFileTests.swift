import AdminAPI
import Foundation
import Testing

@Suite("The dashboard's files")
struct DashboardFileTests {
    private static let files = [DashboardFile.page, DashboardFile.runbook] + DashboardFile.assets

    private static let resources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../Sources/Server/AdminAPI/Dashboard/Resources")

    @Test func `Every file of the folder is served as it is, and nothing else`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.resources.path)
        #expect(Set(names) == Set(Self.files.map(\.name)))
        #expect(names.count == Self.files.count)
        for file in Self.files {
            let bytes = try Data(contentsOf: Self.resources.appending(path: file.name))
            let isSame = Array(bytes) == file.bytes
            #expect(isSame, "\(file.name)")
        }
    }

    @Test func `Types follow from names`() {
        #expect(DashboardFile.page.contentType == "text/html; charset=utf-8")
        for file in DashboardFile.assets {
            let language = file.name.hasSuffix(".css") ? "css" : "javascript"
            #expect(file.contentType == "text/\(language); charset=utf-8", "\(file.name)")
        }
    }

    @Test func `What files refer to is there`() throws {
        let reference = try Regex(#"(?:src|href)="assets/([^"]+)"|from "\./([^"]+)""#)
        let names = DashboardFile.assets.map(\.name)
        for file in Self.files {
            for found in String(decoding: file.bytes, as: UTF8.self).matches(of: reference) {
                let name = (found.output[1].substring ?? found.output[2].substring).map(String.init)
                // The one that is the machine's.
                if name == "chart.js" { continue }
                #expect(name.map(names.contains) == true, "\(file.name): \(name ?? "")")
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
        for file in Self.files {
            let text = String(decoding: file.bytes, as: UTF8.self)
            #expect(!text.contains(pattern), "\(file.name)")
        }
    }
}
