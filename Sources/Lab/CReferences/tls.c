// TLS between the socket and a connection's frames: OpenSSL, in memory that all sessions share.
//
//     socket ──► slab ──► input ──► session ──► plain bytes ──► consume
//     socket ◄── output_send_sealed ◄── output ◄── session ◄── plain bytes
//
// A session reads and writes during a call only, so an idle one has no buffers.
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference_server.h"
#include "server.h"

/// A process has one server; see reference_server.h.
static struct tls shared;

// MARK: - Input and output of a session

static int read_input(BIO *bio, char *bytes, int capacity) {
    struct tls *tls = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (tls->input_size == 0) {
        BIO_set_retry_read(bio);
        return -1;
    }
    size_t size = tls->input_size < (size_t)capacity ? tls->input_size : (size_t)capacity;
    memcpy(bytes, tls->input, size);
    tls->input += size;
    tls->input_size -= size;
    return (int)size;
}

static int write_output(BIO *bio, const char *bytes, int size) {
    struct tls *tls = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    memcpy(buffer_extend(&tls->output, (size_t)size), bytes, (size_t)size);
    return size;
}

static long control(BIO *bio, int command, long number, void *pointer) {
    (void)bio;
    (void)number;
    (void)pointer;
    return command == BIO_CTRL_FLUSH;  // a write is complete at once
}

static BIO_METHOD *create_method(void) {
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "slab");
    if (method == NULL) return NULL;
    BIO_meth_set_read(method, read_input);
    BIO_meth_set_write(method, write_output);
    BIO_meth_set_ctrl(method, control);
    return method;
}

/// Passes on what the session has written.
static void send_output(struct connection *connection) {
    struct buffer *output = &connection->server->tls->output;
    if (output->size == 0) return;
    output_send_sealed(connection, output->bytes, output->size);
    output->size = 0;
}

// MARK: - Certificates

static bool use_files(
    SSL_CTX *context, const char *certificate, const char *key, const char *client_authorities) {
    if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1) return false;
    if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) return false;
    if (client_authorities == NULL) return true;
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    return SSL_CTX_load_verify_locations(context, client_authorities, NULL) == 1;
}

static bool prepare(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    // Sessions are resumed by tickets alone, which the server need not remember.
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_session_id_context(context, (const unsigned char *)"reference", 9);
    return SSL_CTX_set_num_tickets(context, 1) == 1 &&
           SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1;
}

int reference_server_use_tls(
    const char *certificate, const char *key, const char *client_authorities) {
    shared.context = SSL_CTX_new(TLS_server_method());
    shared.method = create_method();
    shared.slab = malloc(READ_SLAB_SIZE);
    if (shared.context == NULL || shared.method == NULL || shared.slab == NULL) return UV_ENOMEM;
    bool is_usable = prepare(shared.context) &&
                     use_files(shared.context, certificate, key, client_authorities);
    if (is_usable) return 0;
    ERR_print_errors_fp(stderr);
    return UV_EINVAL;
}

struct tls *tls_shared(void) { return shared.context != NULL ? &shared : NULL; }

// MARK: - Sessions

bool tls_begin(struct connection *connection) {
    struct tls *tls = connection->server->tls;
    SSL *session = SSL_new(tls->context);
    BIO *bio = BIO_new(tls->method);
    if (session == NULL || bio == NULL) {
        SSL_free(session);
        BIO_free(bio);
        return false;
    }
    BIO_set_data(bio, tls);
    BIO_set_init(bio, 1);
    SSL_set_bio(session, bio, bio);
    SSL_set_accept_state(session);
    connection->session = session;
    return true;
}

ptrdiff_t tls_receive(struct connection *connection, size_t size, uint8_t *plain) {
    struct tls *tls = connection->server->tls;
    tls->input = tls->slab;
    tls->input_size = size;
    size_t capacity = size + TLS_RECORD_SIZE;
    size_t total = 0;
    size_t count;
    ERR_clear_error();
    // The first calls continue the handshake.
    while (SSL_read_ex(connection->session, plain + total, capacity - total, &count) == 1) {
        total += count;
    }
    int error = SSL_get_error(connection->session, 0);
    tls->input_size = 0;
    send_output(connection);
    // The peer's end of TLS needs no answer of its own: the end of the socket follows it.
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_ZERO_RETURN ? (ptrdiff_t)total : -1;
}

void tls_send(struct connection *connection, const uint8_t *bytes, size_t size) {
    size_t count;
    ERR_clear_error();
    if (SSL_write_ex(connection->session, bytes, size, &count) == 1) {
        send_output(connection);
    } else {
        connection_close(connection);
    }
}

void tls_end(struct connection *connection) {
    if (!SSL_is_init_finished(connection->session)) return;
    ERR_clear_error();
    SSL_shutdown(connection->session);
    send_output(connection);
}

void tls_free(struct connection *connection) { SSL_free(connection->session); }
