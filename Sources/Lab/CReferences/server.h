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
    /// The one buffer that all connections read into. Large, as a fuller read means fewer system
    /// calls a frame; not larger, so that it stays in the second-level cache.
    READ_SLAB_SIZE = 1 << 20,
    /// A subscriber with more than this queued stops the reading of publishers.
    QUEUE_LIMIT = 4 << 20,
};

/// What a server's `consume` returns instead of a count for bytes that are not the protocol.
#define CONSUME_BROKEN SIZE_MAX

struct connection;
struct server;

/// Bytes that grow at the end. All zero is an empty buffer.
struct buffer {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
};

/// Connections in no particular order, each of which knows its place.
struct roster {
    struct connection **members;
    size_t count;
    size_t capacity;
};

/// What makes a server the one it is.
struct behaviour {
    /// Takes whole frames from the front of `bytes`; returns how many bytes these were.
    size_t (*consume)(struct connection *, const uint8_t *bytes, size_t size);
    /// Runs at the end of a loop turn, before gathered output is flushed; may be NULL.
    void (*end_turn)(struct server *);
    /// Whether a push goes to all subscribers instead of one.
    bool fans_out;
};

struct server {
    const struct behaviour *behaviour;
    uv_loop_t loop;
    uv_tcp_t listener;
    uv_check_t turn_end;
    uv_signal_t termination;
    union {
        uv_stream_t stream;
        uv_pipe_t pipe;
        uv_tty_t terminal;
    } input;
    uint8_t *slab;
    struct roster publishers;
    struct roster subscribers;
    /// Fan-out only: this turn's bytes for all subscribers, kept once.
    struct buffer broadcast;
    /// Connections to flush at the end of the turn, first come, first flushed.
    struct connection *first_dirty;
    struct connection **last_dirty_link;
    size_t congested_count;
    bool is_paused;
};

enum role { ROLE_UNANNOUNCED, ROLE_PUBLISHER, ROLE_SUBSCRIBER };

struct connection {
    uv_tcp_t handle;
    struct server *server;
    /// The beginning of a frame whose rest has not come yet.
    struct buffer tail;
    /// Output that libuv has not been given yet.
    struct buffer gathered;
    /// Output that belongs to `write` while `is_writing`.
    struct buffer writing;
    uv_write_t write;
    struct connection *next_dirty;
    /// Where this connection is listed, and at which place; NULL if nowhere.
    struct roster *roster;
    size_t roster_index;
    uint64_t ack_seq;
    enum role role;
    bool owes_ack;
    bool is_writing;
    bool is_dirty;
    bool is_congested;
    /// The peer has ended its side: close as soon as nothing is owed.
    bool is_ending;
    bool is_closing;
};

// MARK: - reference_server.c

/// Runs a server to its end; see reference_server.h.
int server_run(const struct behaviour *behaviour, int port);

/// Ends the process: there is nothing a benchmark could do then.
_Noreturn void out_of_memory(void);

/// Stops or resumes the reading of publishers, as the queues now demand.
void server_regulate(struct server *server);

// MARK: - connection.c

/// Accepts a waiting connection and starts to read it.
void connection_accept(struct server *server);

/// Starts reading. A connection that cannot be read is closed.
void connection_read(struct connection *connection);

/// Lists the connection, which must not be listed yet. Its end or its closing takes it off again.
void connection_enlist(struct connection *connection, struct roster *roster);

/// Closes at once; what is still queued is lost. Does nothing the second time.
void connection_close(struct connection *connection);

// MARK: - output.c

/// Makes room for `size` more bytes and counts them in; the caller fills them.
uint8_t *buffer_extend(struct buffer *buffer, size_t size);

/// Frees the bytes.
void buffer_free(struct buffer *buffer);

/// Makes room for `size` bytes of output, which the caller fills and this turn's end flushes.
uint8_t *output_extend(struct connection *connection, size_t size);

/// Sees to it that the connection is flushed at this turn's end.
void output_mark_dirty(struct connection *connection);

/// Flushes all marked connections.
void output_flush_dirty(struct server *server);

/// Writes what is owed and gathered, if no write is under way; else that write's end will.
void output_flush(struct connection *connection);

/// Sends bytes that stay the caller's: what the socket does not take now is copied.
void output_send(struct connection *connection, const uint8_t *bytes, size_t size);

/// Brings `is_congested` up to date.
void output_measure(struct connection *connection);
