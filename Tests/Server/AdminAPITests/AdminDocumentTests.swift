import Basics
import CAdminFiles
import Testing

@testable import AdminAPI

@Suite("The OpenAPI document and the routes agree")
struct AdminDocumentTests {
    /// The members of the object at a path of names.
    private func members(_ path: [String], of document: [UInt8]) -> [String] {
        document.withByteView { view in
            var reader = JSONReader(view)
            for name in path {
                reader.enterObject()
                var isFound = false
                while !isFound, let key = reader.nextKey() {
                    isFound = key.string == name
                    if !isFound { reader.skipValue() }
                }
                if !isFound { return [] }
            }
            var names: [String] = []
            reader.enterObject()
            while let key = reader.nextKey() {
                names.append(key.string)
                reader.skipValue()
            }
            return names
        }
    }

    @Test func `The document is strict JSON`() throws {
        try admin_openapi_json.copy.withByteView { view in
            var scanner = JSONScanner(depthLimit: 32)
            try validateJSON(view, using: &scanner)
        }
    }

    /// The methods and paths of a document.
    private func described(by document: [UInt8]) -> Set<String> {
        let operations = members(["paths"], of: document).flatMap { path in
            members(["paths", path], of: document).map { "\($0.uppercased()) \(path)" }
        }
        return Set(operations)
    }

    @Test func `Each route is described, and nothing else is`() {
        let routes = AdminRoutes.all.map { "\($0.method) \($0.path)" }
        #expect(described(by: admin_openapi_json.copy) == Set(routes))
        #expect(routes.count == Set(routes).count)
    }

    @Test func `Each route of publishers and devices is described, and nothing else is`() {
        // HEAD is what GET is.
        let routes = PublishRoute.all.flatMap { route in
            route.allowed.split(separator: ", ").filter { $0 != "HEAD" }
                .map { "\($0) \(route.path)" }
        }
        #expect(described(by: http_openapi_json.copy) == Set(routes))
    }

    @Test func `The least role of each route is described`() throws {
        let paths = try admin_openapi_json.copy.withByteView { (view) throws(JSONError) in
            try JSONValue(parsing: view)
        }.member("paths")
        for route in AdminRoutes.all {
            let operation = paths?.member(route.path)?.member(route.method.lowercased())
            let isOpen = route.isOpen || route.access == .code
            let role = isOpen ? nil : JSONValue.string(route.role.rawValue)
            #expect(operation?.member("x-role") == role, "\(route.method) \(route.path)")
            #expect((operation?.member("security") != nil) == isOpen, "\(route.path)")
        }
    }

    @Test func `Parameters of the query are described`() throws {
        let text = admin_openapi_json.copy.text
        for parameter in Set(AdminRoutes.all.flatMap(\.parameters)) {
            #expect(text.contains("\"name\": \"\(parameter)\""), "\(parameter)")
        }
    }
}
