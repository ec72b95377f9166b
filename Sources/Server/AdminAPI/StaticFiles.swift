internal import HTTPServing

/// Files that the admin server has, as its owner handed them in.
package struct StaticFiles: Sendable {
    /// What `/` is; nil if there is no page.
    private let page: StaticFile?
    /// By their names behind `/assets/`.
    private let assets: [String: StaticFile]

    /// No files.
    package init() {
        page = nil
        assets = [:]
    }

    /// - Parameters:
    ///   - page: what `/` is.
    ///   - assets: by their names behind `/assets/`.
    package init(page: StaticFile, assets: [String: StaticFile]) {
        self.page = page
        self.assets = assets
    }

    /// What is answered; nil if there is no such file.
    func page(for request: HTTPRequest) -> HTTPResponse? { page?.answer(to: request) }

    func asset(_ name: String, for request: HTTPRequest) -> HTTPResponse? {
        assets[name]?.answer(to: request)
    }
}

/// A file as it is sent, with a tag by which browsers know it again.
package struct StaticFile: Sendable {
    private let headers: [(name: String, value: String)]
    private let bytes: [UInt8]
    private let tag: String

    /// - Parameters:
    ///   - contentType: with the charset of a text.
    ///   - bytes: all of it.
    ///   - policy: what the page may load and run (Content-Security-Policy).
    package init(contentType: String, bytes: [UInt8], policy: String) {
        self.bytes = bytes
        tag = "\"\(Self.hash(bytes))\""
        headers = [
            ("Content-Type", contentType),
            // It is asked for again each time, and sent if it has changed.
            ("Cache-Control", "no-cache"),
            ("ETag", tag),
            ("Content-Security-Policy", policy),
            ("Referrer-Policy", "no-referrer"),
        ]
    }

    func answer(to request: HTTPRequest) -> HTTPResponse {
        let isKnown = request.header("If-None-Match").map(names) ?? false
        return HTTPResponse(
            status: isKnown ? 304 : 200,
            headers: headers,
            body: isKnown ? [] : bytes
        )
    }

    /// Whether a list of tags has this one, or is a star.
    private func names(_ list: String) -> Bool {
        list.split(separator: ",").contains { item in
            let item = item.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            let text = String(item)
            return text == "*" || text == tag || text == "W/" + tag
        }
    }

    /// FNV-1a with 64 bits: files differ by their builds, nobody makes them collide.
    private static func hash(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
