// The system's libcurl, as HTTPFetching (its only Swift owner) sees it. What Swift cannot import
// (variadic functions, casts in macros) becomes a documented static inline function here.
#pragma once
#include <curl/curl.h>

/// Initialises the library, once for the process; returns 0 if that is done.
static inline int curl_begin(void) { return (int)curl_global_init(CURL_GLOBAL_DEFAULT); }

/// What a transfer's bytes are given to; returns `count`, or less to end the transfer.
typedef size_t (*curl_take)(char *bytes, size_t size, size_t count, void *context);

/// Prepares a transfer for any number of GETs.
static inline void prepare_get(CURL *transfer, long timeout_milliseconds, curl_take take,
                               void *context) {
    curl_easy_setopt(transfer, CURLOPT_HTTPGET, 1L);
    curl_easy_setopt(transfer, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(transfer, CURLOPT_PROTOCOLS_STR, "http,https");
    // The environment's proxies are not meant.
    curl_easy_setopt(transfer, CURLOPT_PROXY, "");
    curl_easy_setopt(transfer, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(transfer, CURLOPT_TIMEOUT_MS, timeout_milliseconds);
    curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(transfer, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(transfer, CURLOPT_PRIVATE, context);
}

/// Makes the next request of a transfer a POST of some bytes, which are copied, or a GET if there are
/// none.
static inline void set_body(CURL *transfer, const void *bytes, long long count) {
    if (!bytes) {
        curl_easy_setopt(transfer, CURLOPT_HTTPGET, 1L);
        return;
    }
    curl_easy_setopt(transfer, CURLOPT_POST, 1L);
    curl_easy_setopt(transfer, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    curl_easy_setopt(transfer, CURLOPT_COPYPOSTFIELDS, bytes);
}

/// The headers of a transfer's next request, which must outlive it; NULL for none of its own.
static inline void set_headers(CURL *transfer, struct curl_slist *headers) {
    curl_easy_setopt(transfer, CURLOPT_HTTPHEADER, headers);
}

/// Where a transfer goes; the text is copied.
static inline CURLcode set_url(CURL *transfer, const char *url) {
    return curl_easy_setopt(transfer, CURLOPT_URL, url);
}

/// Whom the multi handle tells what to wait for.
static inline void set_waiting(CURLM *multi, curl_socket_callback sockets,
                               curl_multi_timer_callback timer, void *context,
                               long connections) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, sockets);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    // Open ones that are kept for the next request.
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
}

/// Says that time has passed.
static inline void note_time(CURLM *multi) {
    int running = 0;
    curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

/// Says what a socket is ready for: CURL_CSELECT_*.
static inline void note_socket(CURLM *multi, curl_socket_t socket, int ready) {
    int running = 0;
    curl_multi_socket_action(multi, socket, ready, &running);
}

/// Takes a transfer that has ended; NULL if there is none.
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

/// The context of a transfer, as `prepare_get` was given it.
static inline void *transfer_context(CURL *transfer) {
    char *context = NULL;
    curl_easy_getinfo(transfer, CURLINFO_PRIVATE, &context);
    return context;
}

/// Whether a request went out.
static inline int transfer_was_sent(CURL *transfer) {
    long bytes = 0;
    curl_easy_getinfo(transfer, CURLINFO_REQUEST_SIZE, &bytes);
    return bytes > 0;
}

/// The status of the answer.
static inline long transfer_status(CURL *transfer) {
    long status = 0;
    curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/// What the answer says of when to come again, in seconds; 0 if nothing.
static inline long long transfer_retry_after(CURL *transfer) {
    curl_off_t seconds = 0;
    curl_easy_getinfo(transfer, CURLINFO_RETRY_AFTER, &seconds);
    return seconds;
}
