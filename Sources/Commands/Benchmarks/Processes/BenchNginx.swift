import Basics
import Glibc
import LoadReporting
import Platform

/// nginx, which answers each request with the same text: what a server costs that does nothing.
final class BenchNginx {
    let process: LabProcess
    let port: UInt16
    private let folder: TemporaryFolder

    /// Debian's package nginx-light has it here.
    private static var program: String { "/usr/sbin/nginx" }

    static var isInstalled: Bool { unsafe access(program, X_OK) == 0 }

    /// Starts it with one process on a free port.
    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        port = try Self.freePort()
        let file = folder("nginx.conf")
        try ReportFile.write(Self.configuration(port: port, folder: folder.path), to: file)
        // The shell becomes nginx, which has the same number then.
        process = try LabProcess(
            "nginx",
            program: .shell,
            arguments: [
                "-c", "echo began; exec \(Self.program) -p \(folder.path) -c \(file) -e stderr",
            ]
        )
    }

    private static func configuration(port: UInt16, folder: String) -> String {
        let names = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        let folders = names.map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: "\n")
        return """
            daemon off;
            master_process off;
            error_log stderr;
            pid \(folder)/pid;
            events { worker_connections 4096; }
            http {
            \(folders)
            access_log off;
            keepalive_requests 1000000000;
            default_type application/json;
            server {
            listen 127.0.0.1:\(port) backlog=4096;
            location / { return 202 '{"accepted":1,"duplicates":0,"matched":0,"rejected":[]}'; }
            }
            }
            """
    }

    /// A port that was free just now.
    private static func freePort() throws -> UInt16 {
        let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(socket, address, size) == 0 && getsockname(socket, address, &size) == 0
            }
        }
        if !isBound { throw BenchFailure("there is no free port") }
        return UInt16(bigEndian: address.sin_port)
    }
}
