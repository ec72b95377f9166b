// Connections: accepting them, reading into the loop's slab, closing them.
#include <stdlib.h>
#include <string.h>

#include "server.h"

// MARK: - Subscribers

void connection_enlist(struct connection *connection) {
    struct roster *roster = &connection->server->subscribers;
    if (roster->count == roster->capacity) {
        roster->capacity = roster->capacity > 0 ? roster->capacity * 2 : 64;
        roster->members = realloc(roster->members, roster->capacity * sizeof *roster->members);
        if (roster->members == NULL) out_of_memory();
    }
    connection->is_listed = true;
    connection->roster_index = roster->count;
    roster->members[roster->count] = connection;
    roster->count += 1;
}

static void delist(struct connection *connection) {
    if (!connection->is_listed) return;
    connection->is_listed = false;
    struct roster *roster = &connection->server->subscribers;
    roster->count -= 1;
    struct connection *last = roster->members[roster->count];
    last->roster_index = connection->roster_index;
    roster->members[last->roster_index] = last;
}

// MARK: - Reading

/// Provides the slab, with the connection's tail at its beginning, so that a frame that arrives in
/// pieces is contiguous. libuv reads and calls back before it asks again, so one slab serves all.
static void on_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *room) {
    (void)suggested;
    struct connection *connection = handle->data;
    uint8_t *slab = connection->server->slab;
    size_t tail_size = connection->tail.size;
    if (tail_size > 0) memcpy(slab, connection->tail.bytes, tail_size);
    size_t space = READ_SLAB_SIZE - tail_size;
    if (connection->session == NULL) {
        *room = uv_buf_init((char *)slab + tail_size, (unsigned int)space);
    } else {
        // What is decrypted from it, and from the record before it, then fits after the tail.
        uint8_t *sealed = connection->server->tls->slab;
        *room = uv_buf_init((char *)sealed, (unsigned int)(space - TLS_RECORD_SIZE));
    }
}

/// The peer has ended its side and sends no more, but may still read what is to be sent to it.
static void on_peer_ended(struct connection *connection) {
    delist(connection);
    connection->is_ending = true;
    output_mark_dirty(connection);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *room) {
    (void)room;
    struct connection *connection = stream->data;
    if (count == UV_EOF) {
        on_peer_ended(connection);
    } else if (count < 0) {
        connection_close(connection);
    }
    if (count <= 0) return;

    const struct server *server = connection->server;
    if (connection->session != NULL) {
        count = tls_receive(connection, (size_t)count, server->slab + connection->tail.size);
        if (count < 0) connection_close(connection);
        if (count <= 0 || connection->is_closing) return;
    }
    size_t size = connection->tail.size + (size_t)count;
    size_t consumed = server->behaviour->consume(connection, server->slab, size);
    if (consumed == CONSUME_BROKEN) {
        connection_close(connection);
        return;
    }
    connection->tail.size = 0;
    if (consumed < size) {
        size_t rest = size - consumed;
        memcpy(buffer_extend(&connection->tail, rest), server->slab + consumed, rest);
    }
}

// MARK: - Life

void connection_accept(struct server *server) {
    struct connection *connection = calloc(1, sizeof *connection);
    // Returning without accepting is no option: libuv would then stop listening.
    if (connection == NULL) out_of_memory();
    connection->server = server;
    uv_tcp_init(&server->loop, &connection->handle);  // makes no system call, so cannot fail
    connection->handle.data = connection;
    if (uv_accept((uv_stream_t *)&server->listener, (uv_stream_t *)&connection->handle) < 0) {
        connection_close(connection);
        return;
    }
    // Output is already batched here; the kernel's own batching would only add delay.
    uv_tcp_nodelay(&connection->handle, 1);
    if (server->tls != NULL && !tls_begin(connection)) out_of_memory();
    int error = uv_read_start((uv_stream_t *)&connection->handle, on_allocate, on_read);
    if (error < 0) connection_close(connection);
}

static void on_closed(uv_handle_t *handle) {
    struct connection *connection = handle->data;
    buffer_free(&connection->tail);
    buffer_free(&connection->gathered);
    buffer_free(&connection->sealed);
    buffer_free(&connection->writing);
    tls_free(connection);
    free(connection);
}

void connection_close(struct connection *connection) {
    if (connection->is_closing) return;
    connection->is_closing = true;
    delist(connection);
    uv_close((uv_handle_t *)&connection->handle, on_closed);
}
