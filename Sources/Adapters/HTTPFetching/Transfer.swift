internal import Basics
internal import CCurl

/// Called once with a request's outcome.
typealias FetchCompletion = (Result<HTTPReply, HTTPFetchError>) -> Void

/// An easy handle of libcurl, used for one request after the other.
@safe
final class Transfer {
    let handle: UnsafeMutableRawPointer
    /// The longest body of a reply, in bytes.
    private let bodyLimit: Int
    /// The header lines of the request in flight: libcurl needs them until it ends.
    private var headers: UnsafeMutablePointer<curl_slist>?
    /// The reply's body so far.
    private var body: [UInt8] = []
    /// True if the reply was longer than `bodyLimit`.
    private var isTooLarge = false
    /// The completion of the request in flight; nil between requests.
    private(set) var completion: FetchCompletion?

    /// Creates a handle; nil if there is no memory.
    init?(_ limits: HTTPClientLimits) {
        guard let handle = unsafe curl_easy_init() else { return nil }
        unsafe self.handle = unsafe handle
        bodyLimit = limits.bodyBytes
        // Unretained: only the handle uses it, which `deinit` cleans up.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe configure_transfer(handle, CLong(limits.timeout.rawValue), takeBytes, context)
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(headers)
    }

    /// Prepares the handle for its next request. Traps if the last one is in flight: libcurl uses
    /// its headers.
    func begin(_ call: HTTPCall, completion: @escaping FetchCompletion) {
        precondition(self.completion == nil, "the transfer has a request in flight")
        body = []
        isTooLarge = false
        self.completion = completion
        unsafe _ = set_url(handle, call.url)
        if let body = call.body {
            unsafe body.withUnsafeBytes { bytes in
                // An empty array may have no address, and nil would mean GET.
                let start = unsafe bytes.baseAddress ?? UnsafeRawPointer(handle)
                unsafe set_body(handle, start, Int64(bytes.count))
            }
        } else {
            unsafe set_body(handle, nil, 0)
        }
        unsafe set_method(handle, call.method)
        setHeaders(call.headers)
    }

    private func setHeaders(_ lines: [String]) {
        let old = unsafe headers
        unsafe headers = nil
        for line in lines { unsafe headers = curl_slist_append(headers, line) }
        unsafe set_headers(handle, headers)
        unsafe curl_slist_free_all(old)
    }

    /// Returns the outcome of the request, which has ended, and forgets the request.
    func end(_ code: CURLcode) -> Result<HTTPReply, HTTPFetchError> {
        assert(completion != nil, "the transfer has no request")
        completion = nil
        if isTooLarge { return .failure(.tooLarge) }
        switch code {
        case CURLE_OK: break
        case CURLE_OPERATION_TIMEDOUT: return .failure(.timedOut)
        case CURLE_URL_MALFORMAT: return .failure(.addressInvalid(Self.message(code)))
        // libcurl reports the same code if a reply is not HTTP; that is no error of the address.
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

    /// Appends bytes to the reply's body. Returns false if the body is too long, and the transfer
    /// must end.
    fileprivate func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        assert(completion != nil, "a reply arrives without a request")
        if body.count + bytes.count > bodyLimit {
            isTooLarge = true
            return false
        }
        unsafe body += unsafe bytes
        return true
    }
}

/// libcurl's write callback: any result but the number of bytes ends the transfer.
private func takeBytes(
    _ bytes: UnsafeMutablePointer<CChar>?,
    size: Int,
    count: Int,
    context: UnsafeMutableRawPointer?
) -> Int {
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
    let taken = unsafe transfer.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return taken ? size * count : 0
}
