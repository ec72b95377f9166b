// The system's nghttp2, as HTTP2 (its only Swift owner) sees it. What Swift cannot import well
// (unions, callbacks by name) becomes a documented static inline function here.
#pragma once
#include <nghttp2/nghttp2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a session calls back. All get the context that the session was made with.
struct http2_callbacks {
    /// A request begins on a stream; called on the side of the server alone.
    void (*begun)(void *context, int32_t stream);
    /// A field of the head of a message; returns false to refuse the message.
    bool (*field)(void *context, int32_t stream, const uint8_t *name, size_t name_count,
                  const uint8_t *value, size_t value_count);
    /// A piece of a body; returns false to refuse the message.
    bool (*piece)(void *context, int32_t stream, const uint8_t *bytes, size_t count);
    /// The peer's part of a stream is complete.
    void (*complete)(void *context, int32_t stream);
    /// A stream is closed.
    void (*closed)(void *context, int32_t stream, uint32_t code);
    /// The peer's settings have come.
    void (*settings)(void *context);
    /// A PING was answered.
    void (*answered_ping)(void *context);
    /// The peer goes away: it answers no stream above the last one.
    void (*going_away)(void *context, int32_t last_stream, uint32_t code, const uint8_t *text,
                       size_t count);
    /// Copies up to `capacity` bytes of what is to be sent on a stream, and says whether they are
    /// the last.
    size_t (*body)(void *context, int32_t stream, uint8_t *bytes, size_t capacity, bool *is_last);
};

/// What nghttp2 keeps for a session.
struct http2_context {
    struct http2_callbacks callbacks;
    void *context;
};

static inline int http2_begun(nghttp2_session *session, const nghttp2_frame *frame, void *data) {
    struct http2_context *own = (struct http2_context *)data;
    (void)session;
    if (frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST)
        own->callbacks.begun(own->context, frame->hd.stream_id);
    return 0;
}

static inline int http2_field(nghttp2_session *session, const nghttp2_frame *frame,
                              const uint8_t *name, size_t name_count, const uint8_t *value,
                              size_t value_count, uint8_t flags, void *data) {
    struct http2_context *own = (struct http2_context *)data;
    (void)session;
    (void)flags;
    if (frame->hd.type != NGHTTP2_HEADERS) return 0;
    return own->callbacks.field(own->context, frame->hd.stream_id, name, name_count, value,
                                value_count)
               ? 0
               : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

static inline int http2_piece(nghttp2_session *session, uint8_t flags, int32_t stream,
                              const uint8_t *bytes, size_t count, void *data) {
    struct http2_context *own = (struct http2_context *)data;
    (void)flags;
    if (own->callbacks.piece(own->context, stream, bytes, count)) return 0;
    // Other than in the head, nghttp2 has no way to refuse one message from inside of this call.
    nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, stream, NGHTTP2_CANCEL);
    return 0;
}

static inline int http2_received(nghttp2_session *session, const nghttp2_frame *frame,
                                 void *data) {
    struct http2_context *own = (struct http2_context *)data;
    (void)session;
    switch (frame->hd.type) {
    case NGHTTP2_HEADERS:
    case NGHTTP2_DATA:
        if (frame->hd.flags & NGHTTP2_FLAG_END_STREAM)
            own->callbacks.complete(own->context, frame->hd.stream_id);
        break;
    case NGHTTP2_SETTINGS:
        if (!(frame->hd.flags & NGHTTP2_FLAG_ACK)) own->callbacks.settings(own->context);
        break;
    case NGHTTP2_PING:
        if (frame->hd.flags & NGHTTP2_FLAG_ACK) own->callbacks.answered_ping(own->context);
        break;
    case NGHTTP2_GOAWAY:
        own->callbacks.going_away(own->context, frame->goaway.last_stream_id,
                                  frame->goaway.error_code, frame->goaway.opaque_data,
                                  frame->goaway.opaque_data_len);
        break;
    default:
        break;
    }
    return 0;
}

static inline int http2_closed(nghttp2_session *session, int32_t stream, uint32_t code,
                               void *data) {
    struct http2_context *own = (struct http2_context *)data;
    (void)session;
    own->callbacks.closed(own->context, stream, code);
    return 0;
}

/// Makes one side of a session, with the limits of what the peer may make it keep.
///
/// - streams: the most streams that a client may open at once.
/// - head_bytes: what the peer is told about the longest head.
static inline nghttp2_session *http2_begin(struct http2_context *own, bool is_server,
                                           uint32_t streams, uint32_t head_bytes,
                                           uint32_t peer_streams) {
    nghttp2_session *session = NULL;
    nghttp2_session_callbacks *callbacks = NULL;
    nghttp2_option *option = NULL;
    if (nghttp2_session_callbacks_new(&callbacks) != 0) return NULL;
    if (nghttp2_option_new(&option) == 0) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, http2_begun);
        nghttp2_session_callbacks_set_on_header_callback(callbacks, http2_field);
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, http2_piece);
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, http2_received);
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, http2_closed);
        // No memory for the priorities of streams that are closed.
        nghttp2_option_set_no_closed_streams(option, 1);
        // What a client assumes before the server's settings have come.
        nghttp2_option_set_peer_max_concurrent_streams(option, peer_streams);
        int status = is_server ? nghttp2_session_server_new2(&session, callbacks, own, option)
                               : nghttp2_session_client_new2(&session, callbacks, own, option);
        nghttp2_option_del(option);
        if (status != 0) session = NULL;
    }
    nghttp2_session_callbacks_del(callbacks);
    if (session == NULL) return NULL;
    nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, is_server ? streams : 0},
        {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, head_bytes},
    };
    // A server does not say whether it takes pushes: it is the one that would push.
    size_t count = 3;
    if (is_server) {
        settings[1] = settings[2];
        count = 2;
    }
    if (nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings, count) != 0) {
        nghttp2_session_del(session);
        return NULL;
    }
    return session;
}

static inline ssize_t http2_read_body(nghttp2_session *session, int32_t stream, uint8_t *bytes,
                                      size_t capacity, uint32_t *flags,
                                      nghttp2_data_source *source, void *data) {
    struct http2_context *own = (struct http2_context *)data;
    bool is_last = false;
    (void)session;
    (void)source;
    size_t count = own->callbacks.body(own->context, stream, bytes, capacity, &is_last);
    if (is_last) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return (ssize_t)count;
}

/// Opens a stream with a request, whose body the callback gives; negative if that fails.
///
/// - user_data: what nghttp2_session_get_stream_user_data gives for the stream. To set it once the
///   request waits to be sent would search all requests that do.
static inline int32_t http2_request(nghttp2_session *session, const nghttp2_nv *fields,
                                    size_t count, bool has_body, void *user_data) {
    nghttp2_data_provider body = {.source = {.ptr = NULL}, .read_callback = http2_read_body};
    return nghttp2_submit_request(session, NULL, fields, count, has_body ? &body : NULL,
                                  user_data);
}

/// Answers the request of a stream; negative if that fails.
static inline int http2_answer(nghttp2_session *session, int32_t stream, const nghttp2_nv *fields,
                               size_t count, bool has_body) {
    nghttp2_data_provider body = {.source = {.ptr = NULL}, .read_callback = http2_read_body};
    return nghttp2_submit_response(session, stream, fields, count, has_body ? &body : NULL);
}

/// The most streams that the peer allows at once.
static inline uint32_t http2_peer_streams(nghttp2_session *session) {
    return nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
}
