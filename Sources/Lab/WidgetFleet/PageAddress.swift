package import ArgumentParser
internal import HTTPServing
internal import LibuvLoop

/// The address of a page, which must be one of this machine.
package struct PageAddress {
    let address: ListeningAddress

    /// Reads `HOST:PORT`; nil if it is not a loopback address.
    package init?(_ text: String) {
        guard let parts = Endpoint(text),
            let address = ListeningAddress(host: parts.host, port: parts.port),
            address.isLoopback
        else { return nil }
        self.address = address
    }

    /// The error for a text that is not such an address.
    package static func problem(_ text: String) -> ValidationError {
        ValidationError(
            "--page is \(text); it must be an address of this machine, such as 127.0.0.1:7412"
        )
    }
}
