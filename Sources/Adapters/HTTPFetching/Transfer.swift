internal import CCurl

/// What a request's end is told to.
typealias FetchCompletion = (Result<HTTPReply, HTTPFetchError>) -> Void

/// A transfer of libcurl, used for one request after the other.
@safe
final class Transfer {
    let handle: UnsafeMutableRawPointer
    private let bodyLimit: Int
    /// Of the request that is under way.
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var body: [UInt8] = []
    private var isTooLarge = false
    /// Of the request that is under way.
    private(set) var completion: FetchCompletion?

    /// Nil if there is no memory.
    init?(_ limits: HTTPClientLimits) {
        guard let handle = unsafe curl_easy_init() else { return nil }
        unsafe self.handle = unsafe handle
        bodyLimit = limits.bodyBytes
        // Unretained: `deinit` ends the transfer, which is the only one that uses it.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe prepare_get(handle, CLong(limits.timeoutMilliseconds), takeBytes, context)
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(headers)
    }

    /// Makes it ready for its next request.
    func begin(_ call: HTTPCall, _ completion: @escaping FetchCompletion) {
        body = []
        isTooLarge = false
        self.completion = completion
        unsafe _ = set_url(handle, call.url)
        if let body = call.body {
            unsafe body.withUnsafeBytes { bytes in
                // Of no bytes there is no address.
                let start = unsafe bytes.baseAddress ?? UnsafeRawPointer(handle)
                unsafe set_body(handle, start, Int64(bytes.count))
            }
        } else {
            unsafe set_body(handle, nil, 0)
        }
        setHeaders(call.headers)
    }

    private func setHeaders(_ lines: [String]) {
        let old = unsafe headers
        unsafe headers = nil
        for line in lines { unsafe headers = curl_slist_append(headers, line) }
        unsafe set_headers(handle, headers)
        unsafe curl_slist_free_all(old)
    }

    /// Takes the outcome of the request, which is over.
    func end(_ code: CURLcode) -> Result<HTTPReply, HTTPFetchError> {
        completion = nil
        if isTooLarge { return .failure(.tooLarge) }
        switch code {
        case CURLE_OK: break
        case CURLE_OPERATION_TIMEDOUT: return .failure(.timedOut)
        case CURLE_URL_MALFORMAT: return .failure(.addressInvalid(Self.message(code)))
        // Also what it says of an answer that is no HTTP.
        case CURLE_UNSUPPORTED_PROTOCOL where unsafe transfer_was_sent(handle) == 0:
            return .failure(.addressInvalid(Self.message(code)))
        default: return .failure(.unreachable(Self.message(code)))
        }
        let seconds = unsafe Int(transfer_retry_after(handle))
        let reply = unsafe HTTPReply(
            status: transfer_status(handle),
            body: body,
            retryAfterSeconds: seconds > 0 ? seconds : nil
        )
        body = []
        return .success(reply)
    }

    private static func message(_ code: CURLcode) -> String {
        unsafe String(cString: curl_easy_strerror(code))
    }

    /// - Returns: false to end the transfer.
    fileprivate func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if body.count + bytes.count > bodyLimit {
            isTooLarge = true
            return false
        }
        unsafe body += unsafe bytes
        return true
    }
}

@available(*, unavailable)
extension Transfer: Sendable {}

private func takeBytes(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
    let taken = unsafe transfer.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return taken ? size * count : 0
}
