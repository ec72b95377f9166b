internal import HTTPServing

/// The files that the admin server serves, such as the dashboard's.
package struct StaticFiles: Sendable {
    /// The answer to `/`; nil if there is no page.
    private let page: StaticFile?
    /// The answer to `/runbook`; nil if there is none.
    private let runbook: StaticFile?
    /// Files by their names after `/assets/`.
    private let assets: [String: StaticFile]

    /// Makes an empty set of files.
    package init() {
        page = nil
        runbook = nil
        assets = [:]
    }

    /// - Parameters:
    ///   - page: the answer to `/`.
    ///   - runbook: the answer to `/runbook`; nil if there is none.
    ///   - assets: files by their names after `/assets/`.
    package init(page: StaticFile, runbook: StaticFile? = nil, assets: [String: StaticFile]) {
        self.page = page
        self.runbook = runbook
        self.assets = assets
    }

    /// The response to a request for `/`; nil if there is no page.
    func page(for request: any RequestFields) -> HTTPResponse? { page?.answer(to: request) }

    /// The response to a request for `/runbook`; nil if there is none.
    func runbook(for request: any RequestFields) -> HTTPResponse? { runbook?.answer(to: request) }

    /// The response to a request for an asset; nil if there is none of this name.
    func asset(_ name: String, for request: any RequestFields) -> HTTPResponse? {
        assets[name]?.answer(to: request)
    }
}

/// A file with its response headers, and with an entity tag that lets browsers reuse their copy.
package struct StaticFile: Sendable {
    private let headers: [(name: String, value: String)]
    private let bytes: [UInt8]
    /// The entity tag, in quotation marks: a hash of the bytes.
    private let tag: String

    /// - Parameters:
    ///   - contentType: the media type; for text with its charset.
    ///   - bytes: the content.
    ///   - policy: the Content-Security-Policy, which says what the page may load and run.
    package init(contentType: String, bytes: [UInt8], policy: String) {
        self.bytes = bytes
        tag = "\"\(Self.hash(bytes))\""
        headers = [
            ("Content-Type", contentType),
            // Browsers ask again each time, and get the file only if it has changed.
            ("Cache-Control", "no-cache"),
            ("ETag", tag),
            ("Content-Security-Policy", policy),
            ("Referrer-Policy", "no-referrer"),
        ]
    }

    /// The file, or 304 if the client has it already.
    func answer(to request: any RequestFields) -> HTTPResponse {
        let isKnown = request.header("If-None-Match").map(names) ?? false
        return HTTPResponse(
            status: isKnown ? 304 : 200,
            headers: headers,
            body: isKnown ? [] : bytes
        )
    }

    /// True if a list of entity tags contains this file's, or is `*`.
    private func names(_ list: String) -> Bool {
        list.split(separator: ",").contains { item in
            let item = item.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            let text = String(item)
            return text == "*" || text == tag || text == "W/" + tag
        }
    }

    /// The hash of the bytes by FNV-1a with 64 bits. It only has to distinguish builds; a collision
    /// would be of no use to an attacker.
    private static func hash(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
