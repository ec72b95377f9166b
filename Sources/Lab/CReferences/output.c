// Output: gathered during a tick of the loop, then written with one system call per connection.
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "server.h"

enum {
    FIRST_CAPACITY = 512,
    /// A larger buffer is freed once it is empty, so that one burst does not occupy memory for
    /// ever.
    KEPT_CAPACITY = 256 << 10,
};

// MARK: - Buffers

static void buffer_grow(struct buffer *buffer, size_t needed) {
    size_t capacity = buffer->capacity > 0 ? buffer->capacity : FIRST_CAPACITY;
    while (capacity < needed) capacity *= 2;
    uint8_t *bytes = realloc(buffer->bytes, capacity);
    if (bytes == NULL) out_of_memory();
    buffer->bytes = bytes;
    buffer->capacity = capacity;
}

uint8_t *buffer_extend(struct buffer *buffer, size_t size) {
    size_t needed = buffer->size + size;
    if (needed > buffer->capacity) buffer_grow(buffer, needed);
    uint8_t *room = buffer->bytes + buffer->size;
    buffer->size = needed;
    return room;
}

void buffer_free(struct buffer *buffer) {
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}

static void buffer_clear(struct buffer *buffer) {
    if (buffer->capacity > KEPT_CAPACITY) {
        buffer_free(buffer);
    } else {
        buffer->size = 0;
    }
}

// MARK: - Gathering

void output_mark_dirty(struct connection *connection) {
    if (connection->is_dirty) return;
    struct server *server = connection->server;
    connection->is_dirty = true;
    connection->next_dirty = NULL;
    *server->last_dirty_link = connection;
    server->last_dirty_link = &connection->next_dirty;
}

uint8_t *output_extend(struct connection *connection, size_t size) {
    uint8_t *room = buffer_extend(&connection->gathered, size);
    output_mark_dirty(connection);
    return room;
}

// MARK: - Writing

/// Returns how many bytes the socket accepted, or -1 after closing a connection that is broken.
static ptrdiff_t try_write(struct connection *connection, const uint8_t *bytes, size_t size) {
    uv_buf_t span = uv_buf_init((char *)bytes, (unsigned int)size);
    int written = uv_try_write((uv_stream_t *)&connection->handle, &span, 1);
    if (written == UV_EAGAIN) return 0;
    if (written >= 0) return written;
    connection_close(connection);
    return -1;
}

static void start_write(struct connection *connection, struct buffer *buffer, size_t offset);

static void on_written(uv_write_t *write, int status) {
    struct connection *connection = write->data;
    connection->is_writing = false;
    buffer_clear(&connection->writing);
    if (connection->is_closing) return;
    if (status < 0) {
        connection_close(connection);
        return;
    }
    if (connection->sealed.size > 0) start_write(connection, &connection->sealed, 0);
    output_flush(connection);
}

/// Passes the bytes of a buffer from `offset` on to libuv, which writes them as the socket accepts
/// them; the buffer is empty then.
static void start_write(struct connection *connection, struct buffer *buffer, size_t offset) {
    struct buffer spare = connection->writing;
    connection->writing = *buffer;
    *buffer = spare;
    connection->write.data = connection;
    connection->is_writing = true;
    uv_buf_t span = uv_buf_init(
        (char *)connection->writing.bytes + offset,
        (unsigned int)(connection->writing.size - offset));
    int error = uv_write(
        &connection->write, (uv_stream_t *)&connection->handle, &span, 1, on_written);
    if (error < 0) {
        connection->is_writing = false;  // no callback will come
        connection_close(connection);
    }
}

void output_send_sealed(struct connection *connection, const uint8_t *bytes, size_t size) {
    size_t sent = 0;
    if (!connection->is_writing) {
        ptrdiff_t written = try_write(connection, bytes, size);
        if (written < 0) return;
        sent = (size_t)written;
    }
    if (sent == size) return;
    memcpy(buffer_extend(&connection->sealed, size - sent), bytes + sent, size - sent);
    if (!connection->is_writing) start_write(connection, &connection->sealed, 0);
}

static void write_gathered(struct connection *connection) {
    struct buffer *gathered = &connection->gathered;
    if (connection->session != NULL) {
        tls_send(connection, gathered->bytes, gathered->size);
        buffer_clear(gathered);
        return;
    }
    ptrdiff_t written = try_write(connection, gathered->bytes, gathered->size);
    if (written < 0) return;
    if ((size_t)written == gathered->size) {
        buffer_clear(gathered);
    } else {
        start_write(connection, gathered, (size_t)written);
    }
}

void output_flush(struct connection *connection) {
    // During a write the acknowledgement waits as well, so that a peer that does not read gets one
    // cumulative ACK later, and not a growing row of them.
    if (connection->is_writing || connection->is_closing) return;
    if (connection->ack_is_due) {
        connection->ack_is_due = false;
        frame_write_ack(
            buffer_extend(&connection->gathered, FRAME_ACK_SIZE), connection->ack_seq);
    }
    if (connection->gathered.size > 0) write_gathered(connection);
    if (!connection->is_ending || connection->is_writing) return;
    if (connection->session != NULL) tls_end(connection);
    connection_close(connection);
}

void output_flush_dirty(struct server *server) {
    // A closing connection is still allocated here: close callbacks run later in the tick.
    while (server->first_dirty != NULL) {
        struct connection *connection = server->first_dirty;
        server->first_dirty = connection->next_dirty;
        if (server->first_dirty == NULL) server->last_dirty_link = &server->first_dirty;
        connection->is_dirty = false;
        output_flush(connection);
    }
}

void output_send(struct connection *connection, const uint8_t *bytes, size_t size) {
    size_t sent = 0;
    if (connection->gathered.size == 0 && !connection->is_writing) {
        if (connection->session != NULL) {
            tls_send(connection, bytes, size);
            return;
        }
        ptrdiff_t written = try_write(connection, bytes, size);
        if (written < 0) return;
        sent = (size_t)written;
    }
    if (sent < size) memcpy(output_extend(connection, size - sent), bytes + sent, size - sent);
}
