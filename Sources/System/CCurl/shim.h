// The system's libcurl, as HTTPFetching (its only Swift owner) sees it. What Swift cannot import
// (variadic functions, casts in macros) becomes a documented static inline function here.
#pragma once
#include <curl/curl.h>

/// Initialises the library, once for the process; returns 0 on success.
static inline int curl_begin(void) { return (int)curl_global_init(CURL_GLOBAL_DEFAULT); }

/// Receives the bytes of a response; returns `count`, or less to abort the transfer.
typedef size_t (*curl_take)(char *bytes, size_t size, size_t count, void *context);

/// Configures a transfer, which can then be used for any number of requests.
static inline void configure_transfer(CURL *transfer, long timeout_milliseconds, curl_take take,
                               void *context) {
    curl_easy_setopt(transfer, CURLOPT_HTTPGET, 1L);
    curl_easy_setopt(transfer, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(transfer, CURLOPT_PROTOCOLS_STR, "http,https");
    // Proxies in the environment must not apply.
    curl_easy_setopt(transfer, CURLOPT_PROXY, "");
    curl_easy_setopt(transfer, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(transfer, CURLOPT_TIMEOUT_MS, timeout_milliseconds);
    curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(transfer, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(transfer, CURLOPT_PRIVATE, context);
}

/// Makes the next request of a transfer a POST with a copy of these bytes; a GET if `bytes` is
/// NULL.
static inline void set_body(CURL *transfer, const void *bytes, long long count) {
    if (!bytes) {
        curl_easy_setopt(transfer, CURLOPT_HTTPGET, 1L);
        return;
    }
    curl_easy_setopt(transfer, CURLOPT_POST, 1L);
    curl_easy_setopt(transfer, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    curl_easy_setopt(transfer, CURLOPT_COPYPOSTFIELDS, bytes);
}

/// Replaces the method of a transfer's next request, which `set_body` has chosen; not if it is NULL.
static inline void set_method(CURL *transfer, const char *method) {
    curl_easy_setopt(transfer, CURLOPT_CUSTOMREQUEST, method);
}

/// Sets the headers of a transfer's next request, which must outlive it; NULL for the default ones.
static inline void set_headers(CURL *transfer, struct curl_slist *headers) {
    curl_easy_setopt(transfer, CURLOPT_HTTPHEADER, headers);
}

/// Sets the URL of a transfer's next request; the text is copied.
static inline CURLcode set_url(CURL *transfer, const char *url) {
    return curl_easy_setopt(transfer, CURLOPT_URL, url);
}

/// Sets the callbacks by which a multi handle says which sockets and which time to wait for, and
/// how many idle connections it keeps open.
static inline void set_wait_callbacks(CURLM *multi, curl_socket_callback sockets,
                               curl_multi_timer_callback timer, void *context,
                               long connections) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, sockets);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    // The number of idle connections kept for later requests.
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
}

/// Reports to the multi handle that the time it asked for has passed.
static inline void report_timeout(CURLM *multi) {
    int running = 0;
    curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

/// Reports to the multi handle what a socket is ready for: CURL_CSELECT_*.
static inline void report_socket(CURLM *multi, curl_socket_t socket, int ready) {
    int running = 0;
    curl_multi_socket_action(multi, socket, ready, &running);
}

/// Returns the next transfer that has ended, and its result in `code`; NULL if there is none.
static inline CURL *next_ended(CURLM *multi, CURLcode *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)))
        if (message->msg == CURLMSG_DONE) {
            *code = message->data.result;
            return message->easy_handle;
        }
    return NULL;
}

/// Returns the context that `configure_transfer` was called with.
static inline void *transfer_context(CURL *transfer) {
    char *context = NULL;
    curl_easy_getinfo(transfer, CURLINFO_PRIVATE, &context);
    return context;
}

/// Whether any bytes of a request were sent.
static inline int transfer_was_sent(CURL *transfer) {
    long bytes = 0;
    curl_easy_getinfo(transfer, CURLINFO_REQUEST_SIZE, &bytes);
    return bytes > 0;
}

/// The HTTP status of the response; 0 before there is one.
static inline long transfer_status(CURL *transfer) {
    long status = 0;
    curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/// The response's Retry-After, in seconds; 0 if it has none.
static inline long long transfer_retry_after(CURL *transfer) {
    curl_off_t seconds = 0;
    curl_easy_getinfo(transfer, CURLINFO_RETRY_AFTER, &seconds);
    return seconds;
}
