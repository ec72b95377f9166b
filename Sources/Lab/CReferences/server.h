// What the reference servers share: one loop, its connections and their output.
//
// Everything runs on the loop's thread. A connection's memory is freed in its close callback only;
// until then every callback may still look at it, and checks `is_closing`.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

enum {
    /// The size of the one buffer that all connections read into. Large, because a fuller read
    /// means fewer system calls per frame; not larger, so that it stays in the second-level cache.
    READ_SLAB_SIZE = 1 << 20,
    /// The most plain bytes of a record of TLS.
    TLS_RECORD_SIZE = 16 << 10,
};

/// What `consume` returns, instead of a count, for bytes that violate the protocol.
#define CONSUME_BROKEN SIZE_MAX

struct connection;
struct server;

/// Bytes that are appended to. A zeroed struct is an empty buffer.
struct buffer {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
};

/// Connections in no particular order; each knows its index.
struct roster {
    struct connection **members;
    size_t count;
    size_t capacity;
};

/// What all TLS sessions of a server share; tls.c describes it.
struct tls {
    struct ssl_ctx_st *context;
    struct bio_method_st *method;
    /// What a read has brought, encrypted. It has the size of the server's slab.
    uint8_t *slab;
    /// The part of it that the session has not read yet.
    const uint8_t *input;
    size_t input_size;
    /// What the session has written for the socket; empty between calls.
    struct buffer output;
};

/// What distinguishes one server from another.
struct behaviour {
    /// Processes whole frames at the beginning of `bytes`; returns how many bytes these were.
    size_t (*consume)(struct connection *, const uint8_t *bytes, size_t size);
    /// Runs at the end of a tick, before gathered output is flushed; may be NULL.
    void (*end_tick)(struct server *);
    /// True if a push goes to all subscribers instead of one.
    bool fans_out;
};

/// A reference server: its loop and everything in it.
struct server {
    const struct behaviour *behaviour;
    uv_loop_t loop;
    uv_tcp_t listener;
    uv_check_t tick_end;
    uv_signal_t termination;
    union {
        uv_stream_t stream;
        uv_pipe_t pipe;
        uv_tty_t terminal;
    } input;
    uint8_t *slab;
    /// NULL without TLS.
    struct tls *tls;
    struct roster subscribers;
    /// Fan-out only: this tick's bytes for all subscribers, stored once.
    struct buffer broadcast;
    /// Connections to flush at the end of the tick, in the order in which they were marked.
    struct connection *first_dirty;
    struct connection **last_dirty_link;
};

enum role { ROLE_UNANNOUNCED, ROLE_PUBLISHER, ROLE_SUBSCRIBER };

/// A connection, with its input and output.
struct connection {
    uv_tcp_t handle;
    struct server *server;
    /// NULL without TLS.
    struct ssl_st *session;
    /// The beginning of a frame whose rest has not arrived.
    struct buffer tail;
    /// Output that has not been passed to libuv, nor to TLS.
    struct buffer gathered;
    /// TLS only: encrypted output that waits for the end of `write`.
    struct buffer sealed;
    /// Output that belongs to `write` while `is_writing`.
    struct buffer writing;
    uv_write_t write;
    struct connection *next_dirty;
    /// Its index among the subscribers, if it is listed there.
    size_t roster_index;
    bool is_listed;
    uint64_t ack_seq;
    enum role role;
    bool ack_is_due;
    bool is_writing;
    bool is_dirty;
    /// The peer has ended its side: close once everything is sent.
    bool is_ending;
    bool is_closing;
};

// MARK: - reference_server.c

/// Runs a server until it ends; see reference_server.h.
int server_run(const struct behaviour *behaviour);

/// Ends the process: a benchmark could not continue.
_Noreturn void out_of_memory(void);

// MARK: - connection.c

/// Accepts a waiting connection and starts to read it.
void connection_accept(struct server *server);

/// Lists the connection, which must not be listed yet, among the subscribers until it ends or is
/// closed.
void connection_enlist(struct connection *connection);

/// Closes at once; queued output is lost. Does nothing if it was closed before.
void connection_close(struct connection *connection);

// MARK: - output.c

/// Adds `size` bytes at the end and returns them; the caller fills them.
uint8_t *buffer_extend(struct buffer *buffer, size_t size);

/// Frees the bytes.
void buffer_free(struct buffer *buffer);

/// Adds `size` bytes of output and returns them; the caller fills them, and the end of the tick
/// flushes.
uint8_t *output_extend(struct connection *connection, size_t size);

/// Makes the end of this tick flush the connection.
void output_mark_dirty(struct connection *connection);

/// Flushes all marked connections.
void output_flush_dirty(struct server *server);

/// Writes the pending ACK and the gathered output, unless a write is under way; its end will do so
/// then.
void output_flush(struct connection *connection);

/// Sends bytes as the socket is to get them: what it does not accept now is copied.
void output_send_sealed(struct connection *connection, const uint8_t *bytes, size_t size);

/// Sends bytes that the caller keeps: what the socket does not accept now is copied.
void output_send(struct connection *connection, const uint8_t *bytes, size_t size);

// MARK: - tls.c

/// What the sessions share; NULL if the process uses no TLS.
struct tls *tls_shared(void);

/// Begins a connection's session; returns false without memory.
bool tls_begin(struct connection *connection);

/// Decrypts the first `size` bytes of the slab of TLS to `plain`, which has space for as many and
/// a record; sends what the handshake answers. Returns the number of plain bytes, or -1 if the
/// session is broken.
ptrdiff_t tls_receive(struct connection *connection, size_t size, uint8_t *plain);

/// Encrypts bytes and sends them.
void tls_send(struct connection *connection, const uint8_t *bytes, size_t size);

/// Ends the session's output: the peer learns that nothing more follows.
void tls_end(struct connection *connection);

/// Frees the session, if there is one.
void tls_free(struct connection *connection);
