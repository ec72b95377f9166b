import CommandSupport
import FrameCodec
import LibuvLoop
import Testing

@Suite("The service at a port")
struct PortProbeTests {
    @Test("follows from the first bytes of its answer")
    func answers() {
        let error = encodeFrame(.error, seq: 0, body: Array("{}".utf8))
        #expect(PortProbe.service(answering: error) == .router)
        #expect(PortProbe.service(answering: Array("HTTP/1.1 404 N".utf8)) == .http)
        #expect(PortProbe.service(answering: [0x15, 3, 1, 0, 2, 2, 70]) == .tls)
        #expect(PortProbe.service(answering: [0x16, 3, 3, 0, 90]) == .tls)
        for other in ["", "SSH-2.0-OpenSSH_9", "220 mail ESMTP", "\0\0\0\u{10}"] {
            #expect(PortProbe.service(answering: Array(other.utf8)) == nil, "\(other)")
        }
    }

    @Test("is no service if nothing listens, or if a name would have to be looked up")
    func nothing() {
        #expect(PortProbe.service(at: Endpoint(host: "127.0.0.1", port: 1)) == nil)
        #expect(PortProbe.service(at: Endpoint(host: "name.invalid", port: 1)) == nil)
        #expect(PortProbe.sentence(forClientOf: nil) == nil)
        #expect(PortProbe.sentence(forClientOf: "h:x") == nil)
    }

    @Test("is named with the port that is probably meant, unless it is the right one")
    func sentences() {
        let endpoint = Endpoint(host: "h", port: 1)
        #expect(PortService.router.sentence(forClientOf: endpoint) == nil)
        #expect(PortService.http.sentence(forAdminClientOf: endpoint, isSecure: false) == nil)
        #expect(PortService.tls.sentence(forAdminClientOf: endpoint, isSecure: true) == nil)
        let plain = PortService.http.sentence(forAdminClientOf: endpoint, isSecure: true)
        #expect(plain?.contains("without TLS: give --to http://h:1") == true)
        let http = PortService.http.sentence(forClientOf: endpoint)
        #expect(http?.hasPrefix("h:1 speaks HTTP") == true && http?.contains("7410") == true)
        let router = PortService.router.sentence(forAdminClientOf: endpoint, isSecure: true)
        #expect(router?.contains("not HTTP") == true && router?.contains("7411") == true)
        for sentence in [
            PortService.tls.sentence(forClientOf: endpoint),
            PortService.tls.sentence(forAdminClientOf: endpoint, isSecure: false),
        ] {
            #expect(sentence?.hasPrefix("h:1 speaks TLS") == true)
        }
    }
}
